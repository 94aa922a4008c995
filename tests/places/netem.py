"""A link of a given delay and rate between two network namespaces, by the kernel's netem.

Where this machine's kernel has no netem, a small virtual machine stands between the two, whose kernel has it: qemu with a kernel
and modules of /boot and /lib/modules (Debian's linux-image-cloud-amd64), busybox, and tc. All of it needs root."""
import glob
import gzip
import os
import re
import shutil
import subprocess
import tempfile
import time

from servers import Missing, program

MODULES = ['virtio_net', 'virtio_pci', 'bridge', 'sch_netem']
NEAR, FAR = '10.77.31.1', '10.77.31.2'
INIT = '''#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys
/bin/busybox mount -t proc none /proc
/bin/busybox mount -t sysfs none /sys
for m in %(modules)s; do /bin/busybox insmod /$m; done
/bin/busybox brctl addbr between
for i in 0 1; do
  /bin/busybox ip link set eth$i up
  /bin/busybox brctl addif between eth$i
  /tc qdisc add dev eth$i root netem %(netem)s && echo shaped eth$i
done
/bin/busybox ip link set between up
echo ready
while :; do /bin/busybox sleep 1000; done
'''


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise Missing('%s: %s' % (' '.join(words), (done.stderr or done.stdout).strip()))
    return done.stdout


def cpio(files):
    """An archive of {name: (mode, bytes)}, as a kernel unpacks it."""
    out = bytearray()
    for number, (name, (mode, data)) in enumerate([*files.items(), ('TRAILER!!!', (0, b''))]):
        fields = [number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
        out += b'070701' + b''.join(b'%08X' % f for f in fields) + name.encode() + b'\0'
        out += bytes(-len(out) % 4) + data
        out += bytes(-len(out) % 4)
    return gzip.compress(bytes(out), 1)


def contents(path):
    with open(path, 'rb') as f:
        return f.read()


def modules_of(release):
    """The files of MODULES and of what they need, in the order in which they load."""
    found = []
    for name in MODULES:
        for path in re.findall(r'^insmod (\S+)', run(program('modprobe'), '-S', release, '--show-depends', name), re.M):
            if path not in found:
                found.append(path)
    return found


def libraries(path):
    return re.findall(r'(/\S+) \(0x', run('ldd', path))


class Router:
    """The virtual machine between two taps."""

    def __init__(self, folder, taps, netem):
        kernels = sorted(k for k in glob.glob('/boot/vmlinuz-*') if glob.glob('/lib/modules/%s/kernel/net/sched/sch_netem.ko*' % k[14:]))
        if not kernels:
            raise Missing('this kernel has no netem, and /boot has no other that has')
        modules = modules_of(kernels[-1][14:])
        files = {os.path.basename(m): (0o100644, contents(m)) for m in modules}
        files['init'] = (0o100755, (INIT % {'modules': ' '.join(map(os.path.basename, modules)), 'netem': netem}).encode())
        tc = program('tc')
        for place in ['bin', 'dev', *sorted({d[1:] for lib in libraries(tc) for d in parents(lib)}, key=len)]:
            files[place] = (0o040755, b'')
        files['bin/busybox'], files['tc'] = (0o100755, contents(program('busybox'))), (0o100755, contents(tc))
        for lib in libraries(tc):
            files[lib[1:]] = (0o100755, contents(lib))
        with open(os.path.join(folder, 'initrd'), 'wb') as f:
            f.write(cpio(files))
        self.log = os.path.join(folder, 'console')
        words = [program('qemu-system-x86_64'), '-m', '256', '-display', 'none', '-no-reboot', '-nodefaults', '-serial', 'file:' + self.log,
                 '-kernel', kernels[-1], '-initrd', os.path.join(folder, 'initrd'), '-append', 'console=ttyS0 quiet panic=-1',
                 '-accel', 'tcg']  # a router need not be fast, and KVM inside another machine may hang
        for i, tap in enumerate(taps):
            words += ['-netdev', 'tap,id=n%d,ifname=%s,script=no,downscript=no' % (i, tap),
                      '-device', 'virtio-net-pci,netdev=n%d,mac=52:54:00:12:34:%02x,romfile=' % (i, i)]
        self.process = subprocess.Popen(words)
        end = time.monotonic() + 120
        while 'ready' not in self.said():
            if self.process.poll() is not None or time.monotonic() > end:
                self.close()
                raise Missing('the virtual machine did not start: ' + self.said()[-500:])
            time.sleep(0.1)
        if self.said().count('shaped') != 2:
            self.close()
            raise Missing('no netem in the virtual machine: ' + self.said()[-500:])

    def said(self):
        return contents(self.log).decode(errors='replace') if os.path.exists(self.log) else ''

    def close(self):
        self.process.kill()
        self.process.wait()


def parents(path):
    """The folders above a file, the outermost first."""
    found, folder = [], os.path.dirname(path)
    while folder != '/':
        found.insert(0, folder)
        folder = os.path.dirname(folder)
    return found


class Link:
    """`namespace` reaches this machine at FAR and nothing else, by a link of round trips of `delay` ms and `rate` Mbit/s each way."""

    def __init__(self, delay, rate):
        if os.getuid():
            raise Missing('namespaces and netem need root')
        self.folder, self.router = tempfile.mkdtemp(prefix='gpulab-netem-'), None
        self.namespace, ends = 'gpulab%d' % os.getpid(), ['gl%dn' % os.getpid(), 'gl%df' % os.getpid()]
        self.near, self.far = ends
        netem = 'delay %gms rate %gmbit limit 100000' % (delay / 2, rate)
        run('ip', 'netns', 'add', self.namespace)
        try:
            run('ip', 'link', 'add', ends[0], 'type', 'veth', 'peer', 'name', ends[1])
            if subprocess.run(['tc', 'qdisc', 'add', 'dev', ends[1], 'root', 'netem', *netem.split()], capture_output=True).returncode == 0:
                run('tc', 'qdisc', 'add', 'dev', ends[0], 'root', 'netem', *netem.split())
                self.by = 'netem'
            else:
                run('ip', 'link', 'del', ends[0])
                for end in ends:
                    run('ip', 'tuntap', 'add', 'dev', end, 'mode', 'tap')
                self.router = Router(self.folder, ends, netem)
                self.by = 'netem in a virtual machine between them'
            run('ip', 'link', 'set', ends[0], 'netns', self.namespace)
            run('ip', '-n', self.namespace, 'addr', 'add', NEAR + '/24', 'dev', ends[0])
            run('ip', '-n', self.namespace, 'link', 'set', ends[0], 'up')
            run('ip', '-n', self.namespace, 'link', 'set', 'lo', 'up')
            run('ip', 'addr', 'add', FAR + '/24', 'dev', ends[1])
            run('ip', 'link', 'set', ends[1], 'up')
        except Missing:
            self.close()
            raise

    def inside(self, *words):
        return [program('ip'), 'netns', 'exec', self.namespace, *words]

    def crossed(self):
        """Bytes there and back so far."""
        return [int(contents('/sys/class/net/%s/statistics/%s_bytes' % (self.far, way))) for way in ('rx', 'tx')]

    def close(self):
        if self.router:
            self.router.close()
        subprocess.run(['ip', 'netns', 'del', self.namespace], capture_output=True)
        for end in (self.near, self.far):
            subprocess.run(['ip', 'link', 'del', end], capture_output=True)
        shutil.rmtree(self.folder)

"""Starting inputs for fuzz_archive: small archives of every kind that is read. usage: archives.py FOLDER"""
import io
import os
import sys
import tarfile
import zipfile

KERNEL = b'__global__ void f(float *x) { x[threadIdx.x] = 1; }\n'
NAMES = ['row_sums.cu', './ann/row_sums.cu', 'class\\bob\\row_sums.cu', '../out.cu', '/tmp/out.cu', 'C:\\out.cu', 'x//./y.CU',
         'Š\u0165astný.cu', 's\u030ctastny\u0301.cu', '__MACOSX/._a.cu', 'ann/.git/x.cu', 'ann/report.pdf', 'a' * 120 + '.cu']


def tar(mode, kind, names=NAMES, content=KERNEL):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode, format=kind) as t:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            t.addfile(info, io.BytesIO(content))
        for type_ in tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE:
            info = tarfile.TarInfo('ann/special')
            info.type, info.linkname = type_, 'row_sums.cu'
            t.addfile(info)
    return out.getvalue()


def packed(method, names=NAMES, content=KERNEL):
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w', method) as z:
        z.writestr('ann/', b'')
        link = zipfile.ZipInfo('ann/link.cu')
        link.external_attr = 0o120777 << 16
        z.writestr(link, 'row_sums.cu')
        for name in names:
            z.writestr(zipfile.ZipInfo(name), content, method)
    return out.getvalue()


def main(folder):
    formats = {'ustar': tarfile.USTAR_FORMAT, 'gnu': tarfile.GNU_FORMAT, 'pax': tarfile.PAX_FORMAT}
    made = {'tar-' + name: tar('w', kind, NAMES[:-1] if name == 'ustar' else NAMES) for name, kind in formats.items()}
    made.update({'tar-' + end: tar('w:' + end, tarfile.PAX_FORMAT) for end in ('gz', 'bz2', 'xz')})
    methods = {'stored': zipfile.ZIP_STORED, 'deflated': zipfile.ZIP_DEFLATED, 'bzip2': zipfile.ZIP_BZIP2, 'lzma': zipfile.ZIP_LZMA}
    made.update({'zip-' + name: packed(method) for name, method in methods.items()})
    made['nested'] = packed(zipfile.ZIP_STORED, ['ann.tar', 'bob.zip'], tar('w', tarfile.USTAR_FORMAT, NAMES[:2]))
    made['large'] = packed(zipfile.ZIP_DEFLATED, ['large.cu', 'large.bin'], bytes(300 << 10))
    os.makedirs(folder, exist_ok=True)
    for name, content in made.items():
        with open(os.path.join(folder, name), 'wb') as f:
            f.write(content)


main(sys.argv[1])

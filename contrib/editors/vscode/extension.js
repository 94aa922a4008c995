// gpulab in VS Code: starts `gpulab lsp` for CUDA files. Hints, lenses, and fixes come from the server.
'use strict';
const { workspace, window } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

async function activate() {
  const [command, ...words] = workspace.getConfiguration('gpulab').get('command', ['gpulab']);
  client = new LanguageClient('gpulab', 'gpulab', { command, args: [...words, 'lsp'] },
    { documentSelector: [{ scheme: 'file', pattern: '**/*.{cu,cuh}' }] });
  try {
    await client.start();
  } catch (problem) {
    window.showErrorMessage(`gpulab did not start: ${problem.message}. Set gpulab.command in the settings.`);
  }
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };

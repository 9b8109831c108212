import { fileURLToPath } from 'node:url'

import { defineConfig } from 'vite'

import { shell } from './shell.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

// All URLs are relative, so that the page works under any path.
export default defineConfig({
  root: here,
  base: './',
  build: {
    outDir: `${here}../dist/page`,
    emptyOutDir: true,
    assetsDir: 'ui/assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    // One script for the first view: further requests would wait for a free connection.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
  plugins: [shell()],
  worker: { format: 'es' },
  // Elements without the paths of their files, also in tests, which would measure them.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
})

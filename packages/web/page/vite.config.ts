import { fileURLToPath } from 'node:url'

import { defineConfig } from 'vite'

const here = fileURLToPath(new URL('.', import.meta.url))

// Every address is relative, so the page works under any path.
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
  },
  worker: { format: 'es' },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
})

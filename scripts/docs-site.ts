// Builds the documentation as a site of static files: for `harvestman docs`, and for any host of files.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { errorPages } from '../docs/.vitepress/error-pages.ts'

const docs = fileURLToPath(new URL('../docs', import.meta.url))

export const siteFolder = join(docs, '.vitepress/dist')

/** Writes docs/errors: a page for each error. Nothing of it is kept. */
function writeErrors(): void {
  const folder = join(docs, 'errors')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [code, text] of errorPages(readFileSync(join(docs, 'errors.md'), 'utf8'))) {
    writeFileSync(join(folder, `${code}.md`), text)
  }
}

/** A dead link ends it with an error. */
export function buildSite(folder = siteFolder): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('docs-api.ts', import.meta.url))], { stdio: 'inherit' })
  writeErrors()
  execFileSync(process.execPath, [join(docs, 'node_modules/vitepress/bin/vitepress.js'), 'build', '--outDir', folder], {
    cwd: docs,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

if (import.meta.main) buildSite()

// Builds the documentation as a site of static files: for `harvestman docs`, and for any host of files.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const docs = fileURLToPath(new URL('../docs', import.meta.url))

export const siteFolder = join(docs, '.vitepress/dist')

/** A dead link ends it with an error. */
export function buildSite(folder = siteFolder): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('docs-api.ts', import.meta.url))], { stdio: 'inherit' })
  execFileSync(process.execPath, [join(docs, 'node_modules/vitepress/bin/vitepress.js'), 'build', '--outDir', folder], {
    cwd: docs,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

if (import.meta.main) buildSite()

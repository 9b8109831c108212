import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { encodings } from './encodings.ts'

function pathOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}

/**
 * Builds the page from its sources, for packages and for a server that runs from sources. Needs Vite; rejects if
 * building fails.
 */
export async function buildPage(): Promise<void> {
  const { build } = await import('vite')
  const { pid } = process
  const [fresh, old, built] = [pathOf(`../dist/page-${pid}`), pathOf(`../dist/old-${pid}`), pathOf('../dist/page')]
  await build({ configFile: pathOf('../page/vite.config.ts'), logLevel: 'error', build: { outDir: fresh } })
  writeEncodings(fresh)
  // Several processes may build at once. Each moves a complete page into place and deletes only its own temporary folders.
  moveTo(built, old)
  moveTo(fresh, built)
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true })
}

function writeEncodings(folder: string): void {
  for (const path of globSync('**/*.*', { cwd: folder })) {
    const bytes = readFileSync(join(folder, path))
    for (const { ending, encode } of Object.values(encodings)) writeFileSync(join(folder, path + ending), encode(bytes))
  }
}

/** Moves a folder. Failures are ignored, because another process may have moved it or put its own build there. */
function moveTo(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch {
    // The existing folder is equally good.
  }
}

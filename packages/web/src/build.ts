import { renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Builds the page from its sources: for packages, and for a server that is run from sources. */
export async function buildPage(): Promise<void> {
  const { build } = await import('vite')
  const [fresh, built] = [pathOf(`../dist/page-${process.pid}`), pathOf('../dist/page')]
  await build({ configFile: pathOf('../page/vite.config.ts'), logLevel: 'error', build: { outDir: fresh } })
  // Several processes may build at once: each puts a whole page in place.
  rmSync(built, { recursive: true, force: true })
  try {
    renameSync(fresh, built)
  } catch {
    rmSync(fresh, { recursive: true, force: true })
  }
}

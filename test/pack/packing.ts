// The packages as they are published, made by this very tree.
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly publishConfig: { readonly exports: Readonly<Record<string, unknown>> }
}

export const manifests: readonly Manifest[] = globSync('packages/*/package.json', { cwd: root }).map(
  (file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest,
)

/** Builds and packs all of them into a folder, and gives the names of the tarballs. */
export async function packInto(folder: string): Promise<readonly string[]> {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { packageManager: string }
  const leave = await enter()
  try {
    execFileSync(process.execPath, [join(root, 'scripts/build.ts')], { stdio: 'inherit' })
    const options = ['-r', '--filter', './packages/*', 'pack', '--pack-destination', folder]
    execFileSync('npx', ['--yes', packageManager, ...options], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  } finally {
    leave()
  }
  return readdirSync(folder).filter((name) => name.endsWith('.tgz'))
}

/** Two that build at once would write over each other. What a killed one left behind is not waited for longer than a build takes. */
async function enter(): Promise<() => void> {
  const taken = join(tmpdir(), `harvestman-packing-${Buffer.from(root).toString('base64url')}`)
  for (let tries = 0; tries < 600; tries += 1) {
    try {
      mkdirSync(taken)
      break
    } catch {
      await setTimeout(200)
    }
  }
  return () => rmSync(taken, { recursive: true, force: true })
}

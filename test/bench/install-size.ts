// How much is installed with core, http and the command: packages and megabytes. `node test/bench/install-size.ts [folder]`, where the
// folder has the tarballs of all packages, such as those of `npm run release:check`; without it they are built and packed.
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { packAll } from '../pack/packing.ts'
import { installIn } from '../pack/project.ts'

interface Packed {
  readonly name: string
  readonly file: string
  readonly needs: readonly string[]
}

const [given] = process.argv.slice(2)
const folder = given ?? (await packAll()).folder
const packed = globSync('*.tgz', { cwd: folder }).map((name): Packed => {
  const file = join(folder, name)
  const text = execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' })
  const manifest = JSON.parse(text) as {
    name: string
    dependencies?: object
    peerDependencies?: object
    peerDependenciesMeta?: object
  }
  const peers = Object.keys(manifest.peerDependencies ?? {}).filter(
    (peer) => !(peer in (manifest.peerDependenciesMeta ?? {})),
  )
  return { name: manifest.name, file, needs: [...Object.keys(manifest.dependencies ?? {}), ...peers] }
})

function neededBy(name: string, found = new Set<Packed>()): ReadonlySet<Packed> {
  const one = packed.find((other) => other.name === name)
  if (!one || found.has(one)) return found
  found.add(one)
  for (const other of one.needs) neededBy(other, found)
  return found
}

for (const name of ['@harvestman/core', '@harvestman/http', '@harvestman/cli']) {
  const project = mkdtempSync(join(tmpdir(), 'harvestman-installed-'))
  try {
    const tarballs = [...neededBy(name)].map(({ file }) => file)
    installIn(project, tarballs)
    const manifests = globSync('**/node_modules/{*,@*/*}/package.json', { cwd: project })
    const names = manifests.map(
      (file) => (JSON.parse(readFileSync(join(project, file), 'utf8')) as { name?: string }).name,
    )
    const files = globSync('node_modules/**/*', { cwd: project }).map((file) => statSync(join(project, file)))
    const bytes = files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0)
    console.log(`${name}: ${names.length} packages, ${tarballs.length} of them ours, ${(bytes / 1e6).toFixed(1)} MB`)
  } finally {
    rmSync(project, { recursive: true })
  }
}

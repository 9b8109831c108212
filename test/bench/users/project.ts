// A project as users have it: the packed packages, installed, and the programs of this benchmark beside them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { rolldown } from 'rolldown'

import { packAll } from '../../pack/packing.ts'
import { installIn } from '../../pack/project.ts'

const programs = ['probe', 'crawl', 'naive-page', 'one-page'] as const

/** The packages of other projects that the programs import, besides the dependencies of ours. */
const peers = { mdream: '1.7.2' }

/** Packs and installs this tree in a temporary folder, which is removed when the process exits. */
export async function installTree(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-users-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const packed = await packAll()
  installIn(
    folder,
    packed.tarballs.map((name) => join(packed.folder, name)),
    { others: peers },
  )
  return folder
}

/** Writes the programs to `bench-programs` of a project. They import the packages that the project has installed. */
export async function addPrograms(project: string): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map((name) => [name, join(import.meta.dirname, 'programs', `${name}.ts`)])),
    external: /^[^./]/,
    platform: 'node',
  })
  await bundle.write({ dir: join(project, 'bench-programs'), format: 'esm' })
  await bundle.close()
}

// What a user does: the packed packages in an empty project, built, with nothing of this repository in reach.
import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { startSite } from '@harvestman/testing'

import { madeOnce } from '../made-once.ts'
import { manifests, packageManager, packAll, root } from './packing.ts'
import { compile, typedPrograms } from './tools.ts'

/** Tools are installed on the way. */
export const slow = 600_000

export interface Project {
  /** The tarballs. */
  readonly packed: string
  /** The project that has them all installed; files of tests share it. */
  readonly installed: string
  /** A folder in it, for the programs of one file of tests. */
  readonly folder: string
  write(file: string, text: string): string
  /** Runs a program, of Node or of another, against a site that runs in this process. */
  runAgainstSite(file: string, node?: string): Promise<string>
  /** What a compiler says of strict programs and of all declarations; nothing when all is right. */
  compileAll(compiler: { readonly version: string }): Promise<string>
}

export async function openProject(): Promise<Project> {
  const { folder: packed, tarballs } = await packAll()
  if (tarballs.length !== manifests.length)
    throw new Error(`Of ${manifests.length} packages ${tarballs.length} were packed.`)
  const installed = await madeOnce('installed', (project) => {
    const files = tarballs.map((name) => join(packed, name))
    installIn(project, files)
  })
  const folder = mkdtempSync(join(installed, 'programs-'))
  const write = (file: string, text: string): string => {
    writeFileSync(join(folder, file), text)
    return file
  }
  return {
    packed,
    installed,
    folder,
    write,
    async runAgainstSite(file, node = process.execPath) {
      const site = await startSite()
      const allow = `127.0.0.1/32:${new URL(site.url).port}`
      const child = spawn(node, [file, `${site.url}/good/article`, allow], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let said = ''
      for await (const text of child.stdout) said += String(text)
      await site.close()
      return said
    },
    compileAll(compiler) {
      for (const [from, to] of Object.entries(typedPrograms)) copyFileSync(join(root, from), join(folder, to))
      write('all.ts', entries.map((entry, index) => `export * as entry${index} from '${entry}'`).join('\n'))
      return compile(folder, compiler, [...Object.values(typedPrograms), 'all.ts'])
    },
  }
}

/**
 * Makes a project of packed packages, with all that they need beside them as npm lays it out, from the store that this tree
 * was installed from: npm itself takes three times as long, and is what test/pack/first-hour.long.test.ts installs with.
 */
export function installIn(
  folder: string,
  tarballs: readonly string[],
  {
    others = {},
    flags = [],
  }: { readonly others?: Readonly<Record<string, string>>; readonly flags?: readonly string[] } = {},
): void {
  install(folder, tarballs, { dependencies: { ...packedDependencies(tarballs), ...others }, flags })
}

/** Installs the projects that are folders of this one, with the packed packages in the place of ours. */
export function installProjects(folder: string, tarballs: readonly string[]): void {
  install(folder, tarballs, { packages: ['*'] })
}

interface Install {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly packages?: readonly string[]
  readonly flags?: readonly string[]
}

function packedDependencies(tarballs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(tarballs.map((file) => [nameOf(file), `file:${file}`]))
}

function install(folder: string, tarballs: readonly string[], { dependencies, packages, flags = [] }: Install): void {
  const settings = {
    ...(packages && { packages }),
    nodeLinker: 'hoisted',
    ignoreScripts: true,
    strictDepBuilds: false,
    // They name each other by versions that no registry has.
    overrides: packedDependencies(tarballs),
    storeDir: dirname(storeOfTree()),
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }))
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), JSON.stringify(settings))
  const command = ['--yes', packageManager, 'install', '--no-frozen-lockfile', '--prefer-offline', ...flags]
  execFileSync('npx', command, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

function nameOf(tarball: string): string {
  const manifest = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' })
  return (JSON.parse(manifest) as { readonly name: string }).name
}

/** Where the installer keeps the files of packages, with the version of its layout. */
function storeOfTree(): string {
  const { storeDir } = JSON.parse(readFileSync(join(root, 'node_modules/.modules.yaml'), 'utf8')) as {
    storeDir: string
  }
  return storeDir
}

/** All that a program can import from the packages. */
export const entries = manifests.flatMap(({ name, publishConfig }) =>
  Object.keys(publishConfig.exports)
    .filter((entry) => !entry.endsWith('.json'))
    .map((entry) => join(name, entry)),
)

/** A program that scrapes a page twice: where it runs, and in a worker of its own. */
export const scraping = (from: string): string => `${from}
  export async function scrapeTwice(url, allow) {
    for (const inlineBytes of [1e9, 0]) {
      const engine = createEngine({ allowPrivate: [allow], limits: { inlineBytes } })
      const { metadata } = await engine.scrape({ url })
      console.log(metadata.statusCode)
      await engine.close()
    }
  }`

export const plain = `${scraping("import { createEngine } from '@harvestman/core'")}\nawait scrapeTwice(...process.argv.slice(2))`
export const inPlaceAndInAWorker = '200\n200\n'

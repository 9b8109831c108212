// Cuts a release without publishing it: `npm run release:check [folder]`. In a copy of this tree it makes the versions and the
// changelogs of the changesets, requires a section of docs/changelog.md for the version, packs every package, publishes each with
// --dry-run to a registry on loopback that takes nothing, and writes what each package brings (CycloneDX). The folder then has the
// tarballs, `sbom/` and `CHANGELOG.md`.
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { sectionOf } from './changelog.ts'
import { publishedFolders } from './private-packages.ts'
import { readLockfile, sbomOf, type Named } from './sbom.ts'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const { packageManager = 'pnpm' } = manifestAt(root)

function manifestAt(folder: string): Named & { readonly packageManager?: string } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as ReturnType<typeof manifestAt>
}

/** A copy of all files that git knows, and of what was built. */
function copyTree(to: string): void {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 100_000_000 } as const
  const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], options).split('\0')
  for (const name of new Set(listed)) {
    if (lstatSync(join(root, name), { throwIfNoEntry: false })?.isFile() !== true) continue
    mkdirSync(dirname(join(to, name)), { recursive: true })
    cpSync(join(root, name), join(to, name))
  }
  for (const built of globSync('packages/*/{dist,LICENSE}', { cwd: root }))
    cpSync(join(root, built), join(to, built), { recursive: true })
}

/** Makes the versions, and says which one it is: all packages have the same. */
function makeVersions(copy: string): string {
  // It calls the installer by its name.
  const changeset = [process.execPath, join(root, 'node_modules/@changesets/cli/bin.js'), 'version']
  execFileSync('npx', ['--yes', '--package', packageManager, ...changeset], {
    cwd: copy,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const manifests = publishedFolders.map((folder) => manifestAt(join(copy, folder)))
  const versions = new Set(manifests.map(({ version }) => version))
  if (versions.size !== 1) throw new Error(`The packages have several versions: ${[...versions].join(', ')}.`)
  return [...versions][0] ?? ''
}

function pack(copy: string, out: string): readonly string[] {
  const pnpm = (...args: readonly string[]) =>
    execFileSync('npx', ['--yes', packageManager, ...args], { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] })
  pnpm('install', '--prefer-offline', '--no-frozen-lockfile', '--ignore-scripts')
  pnpm('-r', ...publishedFolders.map((folder) => `--filter=./${folder}`), 'pack', '--pack-destination', out)
  return globSync('*.tgz', { cwd: out }).toSorted()
}

/** A registry that has no package and takes none: every request but a look is a fault. */
async function emptyRegistry() {
  const written: string[] = []
  const server = createServer((request, response) => {
    if (request.method !== 'GET') written.push(`${request.method} ${request.url}`)
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { server, written, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

async function publishDry(out: string, tarballs: readonly string[]): Promise<void> {
  const registry = await emptyRegistry()
  const settings = [`--registry=${registry.url}`, '--dry-run', '--json', '--access=public', '--provenance=false']
  try {
    for (const tarball of tarballs) await execute('npm', ['publish', join(out, tarball), ...settings], { cwd: out })
  } finally {
    registry.server.close()
  }
  if (registry.written.length > 0) throw new Error(`A dry run wrote to the registry: ${registry.written.join(', ')}.`)
}

/** The lists come from the lockfile of this tree, with the versions of the copy. */
function writeSboms(copy: string, out: string): void {
  const lockfile = readLockfile(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8'))
  mkdirSync(join(out, 'sbom'))
  for (const folder of publishedFolders) {
    const sbom = sbomOf(folder, lockfile, (at) => manifestAt(join(copy, at)))
    writeFileSync(join(out, 'sbom', `${folder.split('/')[1]}.cdx.json`), `${JSON.stringify(sbom, undefined, 2)}\n`)
  }
}

/** What people read of the version, then the changelogs of all packages as one, each sentence once. */
function writeChangelog(copy: string, out: string, version: string): number {
  const told = readToldChanges(copy, version)
  const entries = globSync('packages/*/CHANGELOG.md', { cwd: copy }).flatMap((file) => {
    const [, ofVersion = ''] = readFileSync(join(copy, file), 'utf8').split(`## ${version}\n`)
    return ofVersion
      .split(/\n(?=- |#)/)
      .filter((entry) => entry.startsWith('- ') && !entry.includes('Updated dependencies'))
  })
  const sentences = [...new Set(entries.map((entry) => entry.replace(/^- [\da-f]{7,}: /, '- ').trimEnd()))]
  writeFileSync(join(out, 'CHANGELOG.md'), `# ${version}\n\n${told}\n\n## Every change\n\n${sentences.join('\n')}\n`)
  return sentences.length
}

function readToldChanges(copy: string, version: string): string {
  return sectionOf(readFileSync(join(copy, 'docs/changelog.md'), 'utf8'), version)
}

const [given = 'release'] = process.argv.slice(2)
const out = resolve(given)
if (existsSync(out)) throw new Error(`${out} is there already. Remove it, or name another folder.`)
if (globSync('packages/core/dist/index.js', { cwd: root }).length === 0)
  throw new Error('Nothing is built. Run `npx pnpm build` first.')
mkdirSync(out, { recursive: true })
const copy = mkdtempSync(join(tmpdir(), 'harvestman-release-'))
try {
  copyTree(copy)
  const version = makeVersions(copy)
  // Said before the minutes that follow.
  readToldChanges(copy, version)
  const tarballs = pack(copy, out)
  await publishDry(out, tarballs)
  writeSboms(copy, out)
  const sentences = writeChangelog(copy, out, version)
  console.log(`Version ${version}: ${tarballs.length} packages, ${sentences} entries in the changelog, in ${out}.`)
} finally {
  rmSync(copy, { recursive: true, force: true })
}

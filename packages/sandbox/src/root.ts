// Determines the file system of a jail: interpreters, command-line tools and their dependencies. Nothing else of the host is in
// it.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'

import { readNeeds } from './elf.ts'
import { programs } from './programs.ts'

/** Paths inside the jail, each with the path of its file or folder on the host. */
export type Root = ReadonlyMap<string, string>

/** Output of the Python interpreter about its own installation. */
interface Python {
  readonly program: string
  readonly folders: readonly string[]
}

const triples: Readonly<Record<string, string>> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }
// The default folders of the dynamic loader. A jail has no cache file that lists others.
const libraryFolders = [`/usr/lib/${triples[process.arch]}`, '/usr/lib64', '/usr/lib']
// Python modules that need graphics or network libraries.
const uselessModules = /^(?:_tkinter|nis)\./
const others = ['/usr/share/zoneinfo', '/usr/lib/locale/C.utf8', '/usr/lib/locale/C.UTF-8']

const ask = `import json, site, sys, sysconfig
all = [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), *site.getsitepackages()]
print(json.dumps(all + ([sys.prefix] if sys.prefix != sys.base_prefix else [])))`

/**
 * Returns the files of a jail: paths inside, each with its path on the host. `more` are executables that are mounted
 * separately; only their libraries are added. Without Python, the jail has none.
 */
export async function findRoot(python: string, more: readonly string[]): Promise<Root> {
  const root = new Map<string, string>()
  for (const name of programs) {
    const found = findInUsr(name)
    if (found) root.set(`/usr/bin/${name}`, realpathSync(found))
  }
  const found = await findPython(python)
  if (found) {
    root.set(found.program, realpathSync(found.program))
    root.set(`/usr/bin/${basename(found.program)}`, realpathSync(found.program))
  }
  for (const path of [...(found?.folders ?? []), ...others]) if (existsSync(path)) root.set(path, realpathSync(path))
  const modules = (found?.folders ?? []).flatMap((folder) => librariesIn(join(folder, 'lib-dynload')))
  const files = [...root.values()].filter((path) => statSync(path).isFile())
  for (const [inside, path] of librariesOf([...files, ...modules, ...more])) root.set(inside, path)
  return withoutNested(root)
}

/** Searches fixed folders: the PATH of this process has no meaning inside the jail. */
function findInUsr(name: string): string | undefined {
  return ['/usr/bin', '/usr/sbin', '/usr/local/bin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
}

async function findPython(python: string): Promise<Python | undefined> {
  const program = isAbsolute(python) ? python : findInUsr(python)
  if (program === undefined) return undefined
  try {
    const { stdout } = await promisify(execFile)(program, ['-I', '-c', ask], { env: {}, cwd: '/', timeout: 20_000 })
    const folders = JSON.parse(stdout) as string[]
    return { program, folders: [...new Set(folders)] }
  } catch {
    return undefined
  }
}

function librariesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.so') && !uselessModules.test(name))
    .map((name) => join(folder, name))
}

/** Returns the libraries and loaders that the files need, including indirect dependencies. */
function librariesOf(files: readonly string[]): Map<string, string> {
  const all = new Map<string, string>()
  const left = [...files]
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const { loader, libraries } = readNeeds(path) ?? { libraries: [] }
    for (const inside of [loader && inUsr(loader), ...libraries.map((name) => findLibrary(name))]) {
      if (inside === undefined || all.has(inside) || !existsSync(inside)) continue
      all.set(inside, realpathSync(inside))
      left.push(inside)
    }
  }
  return all
}

/** Inside the jail, `/lib` and similar folders are links into `/usr`. */
function inUsr(path: string): string {
  return path.startsWith('/usr/') ? path : `/usr${path}`
}

function findLibrary(name: string): string | undefined {
  return libraryFolders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** Removes entries that are inside a folder that is mounted anyway. */
function withoutNested(root: Root): Root {
  const isNested = (inside: string): boolean =>
    [...root.keys()].some(
      (folder) => inside.startsWith(`${folder}/`) && root.get(inside)?.startsWith(`${root.get(folder)}/`),
    )
  return new Map([...root].filter(([inside]) => !isNested(inside)))
}

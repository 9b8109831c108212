import { execFileSync, type ExecFileSyncOptionsWithStringEncoding } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const timeout = 900_000
const root = fileURLToPath(new URL('..', import.meta.url))
const kept = join(root, 'node_modules/.cache/harvestman-tests')
const day = 86_400_000

/** What several files of tests need and takes long to make is made by the first; the others wait for it. It goes with the run. */
export async function madeOnce(name: string, make: (folder: string) => Promise<void> | void): Promise<string> {
  const made = join(ofTheRun(), name)
  const making = `${made}.making`
  const until = Date.now() + timeout
  while (!existsSync(made)) {
    if (!enter(making)) {
      if (Date.now() > until) throw new Error(`${name} was not made in time by the file that began to make it.`)
      await setTimeout(200)
      continue
    }
    try {
      if (!existsSync(made)) {
        // Within the folder that says that it is being made: what makes it may empty its own.
        const fresh = join(making, name)
        mkdirSync(fresh)
        await make(fresh)
        renameSync(fresh, made)
      }
    } finally {
      rmSync(making, { recursive: true, force: true })
    }
  }
  return made
}

/**
 * The same, for what is made of nothing but the files of this tree: later runs on the same files take what an earlier one made.
 * What no run has taken for a day is removed.
 */
export async function madeOfTree(name: string, make: (folder: string) => Promise<void> | void): Promise<string> {
  const tree = stateOfTree()
  if (tree === undefined) return madeOnce(name, make)
  const place = join(kept, `${name}-${tree}`)
  return madeOnce(name, async (folder) => {
    if (existsSync(place)) {
      utimesSync(place, new Date(), new Date())
      return cpSync(place, folder, { recursive: true })
    }
    await make(folder)
    removeOld()
    // Another run may be at the same; a folder is there as a whole or not at all.
    const fresh = mkdtempSync(`${place}.`)
    cpSync(folder, fresh, { recursive: true })
    if (existsSync(place)) rmSync(fresh, { recursive: true })
    else renameSync(fresh, place)
  })
}

let state: string | undefined

/** What all files say that are no tests, those that are not committed as well; nothing where there is no git to list them. */
function stateOfTree(): string | undefined {
  if (state !== undefined) return state
  let names: readonly string[]
  try {
    const options: ExecFileSyncOptionsWithStringEncoding = {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 100_000_000,
    }
    names = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], options).split('\0')
  } catch {
    return undefined
  }
  const hash = createHash('sha256').update(process.version)
  for (const name of [...new Set(names)].filter((name) => name !== '' && !ofTests.test(name)).toSorted()) {
    const path = join(root, name)
    // One that was removed is listed until that is committed.
    const text = lstatSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path) : ''
    hash.update(`${name} ${text.length}\0`).update(text)
  }
  return (state = hash.digest('hex').slice(0, 16))
}

const ofTests = /(?:^|\/)test\/|\.test\.ts$/

function removeOld(): void {
  mkdirSync(kept, { recursive: true })
  for (const name of readdirSync(kept)) {
    const path = join(kept, name)
    if (Date.now() - statSync(path).mtimeMs > day) rmSync(path, { recursive: true, force: true })
  }
}

function enter(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

let own: string | undefined

/** The folder that scripts/leftovers.ts makes for a run; with another reporter, one for this process. */
function ofTheRun(): string {
  const given = process.env['HARVESTMAN_MADE_ONCE'] ?? own
  if (given !== undefined) return given
  const folder = (own = mkdtempSync(join(tmpdir(), 'harvestman-made-')))
  // As that one is: programs that tests start as other users read in it.
  chmodSync(folder, 0o755)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

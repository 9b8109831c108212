import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const patience = 900_000

/** What several files of tests need and takes long to make is made by the first; the others wait for it. It goes with the run. */
export async function madeOnce(name: string, make: (folder: string) => Promise<void> | void): Promise<string> {
  const made = join(ofTheRun(), name)
  const making = `${made}.making`
  const until = Date.now() + patience
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
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

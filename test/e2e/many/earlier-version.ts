// An earlier version of this project, as its history has it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export interface EarlierVersion {
  /** The file of its command. */
  readonly command: string
  remove(): void
}

/** Whether the history that is here has a commit: a copy without its history, or with the end of it, has not. */
export function isInHistory(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Installs the version of a commit in a folder of its own. */
export function installEarlier(commit: string): EarlierVersion {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-earlier-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const files = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1_000_000_000 })
    execFileSync('tar', ['-x', '-C', folder], { input: files })
    const { packageManager } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>
    const install = ['--yes', String(packageManager), 'install', '--frozen-lockfile', '--prefer-offline']
    execFileSync('npx', install, { cwd: folder, stdio: 'pipe', timeout: 300_000 })
  } catch (error) {
    remove()
    throw error
  }
  return { command: join(folder, 'packages/cli/src/main.ts'), remove }
}

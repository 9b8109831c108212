// The steps of docs/deploy/Dockerfile, without an engine for containers: each does here what it would do in the image.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { startSite } from '@harvestman/testing'
import { afterAll, expect, test } from 'vitest'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const text = readFileSync(join(root, 'docs/deploy/Dockerfile'), 'utf8').replaceAll(/\\\n\s*/g, '')
const steps = text.split('\n').filter((line) => line.startsWith('RUN '))
const stepWith = (words: string): string => steps.find((step) => step.includes(words))?.slice('RUN '.length) ?? ''

const made = new Set(['node_modules', 'dist', '.git', '.harvestman', 'cache'])
const app = mkdtempSync(join(tmpdir(), 'harvestman-image-'))
afterAll(() => rmSync(app, { recursive: true }))

test('what it builds answers', async () => {
  // What `COPY . .` copies where nothing has been installed or built.
  cpSync(root, app, { recursive: true, filter: (path) => !made.has(basename(path)) })
  execFileSync('sh', ['-c', stepWith('pnpm')], { cwd: app, stdio: ['ignore', 'ignore', 'inherit'] })
  const entry = /^ENTRYPOINT (\[.*\])$/m.exec(text)?.[1] ?? '[]'
  const [, , program = '', ...options] = JSON.parse(entry) as string[]
  expect(program).toBe('node')
  const site = await startSite()
  const page = ['scrape', `${site.url}/good/article`, '--allow-private', `127.0.0.1/32:${new URL(site.url).port}`]
  const command = [...options.map((option) => option.replace(/^\/app\//, `${app}/`)), ...page]
  const { stdout } = await execute(process.execPath, command, { timeout: 240_000 })
  await site.close()
  expect(stdout).toContain('but it walks on six')
}, 900_000)

test('the packages of the system that it installs exist', ({ skip }) => {
  const [, names = ''] = /apt-get install -y --no-install-recommends ([\w .-]+?) +&&/.exec(stepWith('apt-get')) ?? []
  expect(names.split(' ')).toContain('tini')
  if (spawnSync('apt-get', ['--version']).status !== 0) return skip('this machine has no apt-get')
  const tried = spawnSync('apt-get', ['install', '--dry-run', ...names.split(' ')], { encoding: 'utf8' })
  if (tried.stderr.includes('Unable to locate'))
    return skip(`the lists of this machine are not there: ${tried.stderr.trim()}`)
  expect(tried.status).toBe(0)
})

// @module-tag long
// The steps of docs/deploy/Dockerfile, without an engine for containers: each does here what it would do in the image.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { startSite } from '@harvestman/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startProgram } from '../e2e/command.ts'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const text = readFileSync(join(root, 'docs/deploy/Dockerfile'), 'utf8').replaceAll(/\\\n\s*/g, '')
const steps = text.split('\n').filter((line) => line.startsWith('RUN '))
const stepWith = (words: string): string => steps.find((step) => step.includes(words))?.slice('RUN '.length) ?? ''

const made = new Set(['node_modules', 'dist', '.git', '.harvestman', 'cache'])
const app = mkdtempSync(join(tmpdir(), 'harvestman-image-'))
afterAll(() => rmSync(app, { recursive: true }))

const entry = /^ENTRYPOINT (\[.*\])$/m.exec(text)?.[1] ?? '[]'
const [, , program = '', ...options] = JSON.parse(entry) as string[]

beforeAll(() => {
  // What `COPY . .` copies where nothing has been installed or built, and what is made of it before it is copied again.
  cpSync(root, app, { recursive: true, filter: (path) => !made.has(basename(path)) })
  const ofBuild = text.slice(0, text.lastIndexOf('FROM '))
  for (const [, step = ''] of ofBuild.matchAll(/^RUN (.*)$/gm))
    execFileSync('sh', ['-c', step], { cwd: app, stdio: ['ignore', 'ignore', 'inherit'] })
  chmodSync(app, 0o755)
}, 900_000)

test('what it builds answers', async () => {
  expect(program).toBe('node')
  const site = await startSite()
  const page = ['scrape', `${site.url}/good/article`, '--allow-private', `127.0.0.1/32:${new URL(site.url).port}`]
  const command = [...options.map((option) => option.replace(/^\/app\//, `${app}/`)), ...page]
  const { stdout } = await execute(process.execPath, command, { timeout: 240_000 })
  await site.close()
  expect(stdout).toContain('but it walks on six')
})

test(
  'its server starts and shows its page as the user of the image, who may write in its data alone',
  { tags: ['bubblewrap'] },
  async () => {
    const ids = /--uid (\d+)/.exec(text)?.[1] ?? ''
    const data = mkdtempSync(join(tmpdir(), 'harvestman-image-data-'))
    if (process.getuid?.() === 0) chownSync(data, Number(ids), Number(ids))
    const settings = Object.fromEntries(
      [...text.matchAll(/\b(HARVESTMAN_\w+|NODE_ENV)=(\S+)/g)].map(([, name, value]) => [name, value]),
    )
    const places = ['--ro-bind /usr /usr', '--ro-bind /etc /etc', '--symlink usr/bin /bin', '--symlink usr/lib /lib']
    places.push('--symlink usr/lib64 /lib64', '--proc /proc', '--dev /dev', '--tmpfs /tmp')
    places.push(`--ro-bind ${realpathSync(process.execPath)} /node`, `--ro-bind ${app} /app`, `--bind ${data} /data`)
    const user = `--unshare-user --unshare-pid --die-with-parent --uid ${ids} --gid ${ids}`
    const jail = [user, ...places, '--remount-ro / --'].flatMap((words) => words.split(' '))
    const command = ['bwrap', ...jail, '/node', ...options, 'serve']
    const drop = process.getuid?.() === 0 ? ['setpriv', `--reuid=${ids}`, `--regid=${ids}`, '--clear-groups'] : []
    const [first = '', ...rest] = [...drop, ...command]
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: '/home/harvestman',
      ...settings,
      HARVESTMAN_PORT: '0',
      HARVESTMAN_API_KEY: 'key',
    }
    const server = startProgram(first, rest, { env })
    try {
      await expect
        .poll(() => server.child.exitCode !== null || server.said.err.includes('listens on http'), { timeout: 120_000 })
        .toBe(true)
      const url = /listens on (http:\S+:\d+)/.exec(server.said.err)?.[1]
      expect(server.said.err).toContain('keeps its data in')
      const port = new URL(url ?? '').port
      expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200)
      const page = await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: 'text/html' } })
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')])
      expect(readdirSync(data)).toContain('harvestman.sqlite')
    } finally {
      server.child.kill('SIGTERM')
      await server.ended
      rmSync(data, { recursive: true, force: true })
    }
  },
)

test('the packages of the system that it installs exist', ({ skip }) => {
  const [, names = ''] = /apt-get install -y --no-install-recommends ([\w .-]+?) +&&/.exec(stepWith('apt-get')) ?? []
  expect(names.split(' ')).toContain('tini')
  if (spawnSync('apt-get', ['--version']).status !== 0) return skip('this machine has no apt-get')
  const tried = spawnSync('apt-get', ['install', '--dry-run', ...names.split(' ')], { encoding: 'utf8' })
  if (tried.stderr.includes('Unable to locate'))
    return skip(`the lists of this machine are not there: ${tried.stderr.trim()}`)
  expect(tried.status).toBe(0)
})

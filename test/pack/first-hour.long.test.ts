// @module-tag long
// A new user's first hour, from the README and the pages it leads to: an empty folder, an empty home, the packed packages.
// Every block is run as it stands there. What is put in its place is only what this machine has no other way to: tarballs
// for names of packages, a site on loopback for https://example.com, another port, another folder for global programs.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

import { freePort, startSite, type Site } from '@harvestman/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { closureOf, packAll, root, slugOf } from './packing.ts'

// Building, packing and installing all of it; minutes where the machine is busy.
const timeout = 900_000
const folder = mkdtempSync(join(tmpdir(), 'harvestman-first-hour-'))
const home = join(folder, 'home')
const project = join(folder, 'project')
let packed: string
const children: ChildProcess[] = []
let site: Site
let port = 0
let tarballs: readonly string[] = []

beforeAll(async () => {
  for (const one of [home, project]) mkdirSync(one)
  site = await startSite()
  port = await freePort()
  ;({ folder: packed, tarballs } = await packAll())
  writeFileSync(join(project, 'package.json'), '{}')
}, timeout)

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await site.close()
  rmSync(folder, { recursive: true, force: true })
}, timeout)

/** The blocks of one language below a heading, as they stand there. */
function blocksOf(file: string, heading: string, language: 'sh' | 'ts'): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const start = text.indexOf(`\n## ${heading}\n`)
  expect(start, `${file} has a part ${heading}`).toBeGreaterThan(0)
  const end = text.indexOf('\n## ', start + 1)
  const part = text.slice(start, end < 0 ? undefined : end)
  return [...part.matchAll(/```(\w+)\n([^]*?)\n```/g)]
    .filter(([, name]) => name === language)
    .map(([, , block]) => block!)
}

/** Lines that install something stand in blocks and in sentences. */
function installsOf(file: string, heading: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const start = text.indexOf(`\n## ${heading}\n`)
  const end = text.indexOf('\n## ', start + 1)
  return [...text.slice(start, end < 0 ? undefined : end).matchAll(/npm install [^`\n#]+/g)].map(([line]) =>
    line.trim(),
  )
}

function tarballOf(name: string): string {
  const start = slugOf(name)
  return join(
    packed,
    tarballs.find((tarball) => tarball.startsWith(start) && /^\d/.test(tarball.slice(start.length)))!,
  )
}

function installable(line: string): string {
  const names = new Set([...line.matchAll(/@harvestman\/[\w-]+/g)].flatMap(([name]) => [...closureOf(name)]))
  const others = line.split(/\s+/).filter((word) => word !== '' && !word.startsWith('@harvestman/'))
  const where = line.includes('--global') ? ['--prefix', join(home, 'global')] : []
  return [...others, ...where, '--no-audit', '--no-fund', ...[...names].map(tarballOf)].join(' ')
}

function asHere(block: string): string {
  return block
    .replaceAll('https://example.com', `${site.url}/crawl/`)
    .replaceAll('localhost:3002', `localhost:${port}`)
    .replaceAll('port: 3002', `port: ${port}`)
    .replaceAll(/createEngine\(\{?/g, (call) =>
      call.endsWith('{') ? `${call} allowPrivate: ['127.0.0.0/8'],` : `${call}{ allowPrivate: ['127.0.0.0/8'] }`,
    )
}

// How this machine reaches its registry is not a part of the hour.
const reach = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(?:npm_config_|node_extra_ca|ssl_cert|(?:https?|no)_proxy$)/i.test(name),
  ),
)

const environment = (): NodeJS.ProcessEnv => ({
  ...reach,
  npm_config_userconfig: process.env['npm_config_userconfig'] ?? join(homedir(), '.npmrc'),
  npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
  HOME: home,
  PATH: [join(home, 'global/bin'), dirname(process.execPath), process.env['PATH']].join(delimiter),
  HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8',
  PORT: String(port),
})

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

function run(command: string): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd: project, env: environment(), timeout, maxBuffer: 2e8 }
    execFile('bash', ['--norc', '-euc', command], options, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err })
    })
  })
}

async function good(command: string): Promise<string> {
  const { code, out, err } = await run(command)
  expect({ command, code, err: code === 0 ? '' : out + err }).toEqual({ command, code: 0, err: '' })
  return out
}

/** Starts what stays, and waits until it says that it listens. */
async function start(command: string): Promise<ChildProcess> {
  const child = spawn('bash', ['--norc', '-euc', `exec ${command}`], {
    cwd: project,
    env: environment(),
    detached: true,
  })
  children.push(child)
  let said = ''
  await new Promise<void>((resolve, reject) => {
    const hear = (text: Buffer): void => {
      said += String(text)
      if (said.includes(`:${port}`)) resolve()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', () => reject(new Error(`It ended: ${said}`)))
  })
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

async function program(block: string): Promise<string> {
  writeFileSync(join(project, 'program.mjs'), asHere(block))
  return good('node program.mjs')
}

test(
  'install, and a first page',
  async () => {
    const [clone = '', install = ''] = blocksOf('README.md', 'Install', 'sh')
    const installs = install.split('\n').filter((line) => line.startsWith('npm install '))
    expect(installs).toHaveLength(2)
    for (const line of installs) await good(installable(line.replace(/ +#.*/, '')))
    const [scrape = ''] = clone.split('\n')
    expect(scrape).toMatch(/^npm start -- scrape /)
    expect(await good(asHere(scrape.replace('npm start --', 'harvestman')))).toMatch(/\w/)
  },
  timeout,
)

test(
  'a page and a crawl in process',
  async () => {
    const [page = '', crawl = ''] = blocksOf('README.md', 'In process', 'ts')
    expect(await program(page)).toMatch(/\w/)
    for (const line of installsOf('README.md', 'In process')) await good(installable(line))
    expect((await program(crawl)).trim().split('\n').length).toBeGreaterThan(3)
  },
  timeout,
)

test(
  'a server, asked with curl',
  async () => {
    const [serve = '', scrape = '', crawl = ''] = blocksOf('README.md', 'Over HTTP', 'sh')
    const [setting, ...command] = serve.split(' ')
    const server = await start(`env ${setting} ${command.join(' ')}`)
    expect(JSON.parse(await good(asHere(scrape)))).toMatchObject({ success: true, data: { links: expect.any(Array) } })
    const lines = asHere(crawl).replaceAll('\\\n', ' ').split('\n')
    const { id } = JSON.parse(await good(lines[0] ?? '')) as { readonly id: string }
    expect(JSON.parse(await good((lines[1] ?? '').replace('<id>', id)))).toMatchObject({ success: true })
    await stop(server)
  },
  timeout,
)

test(
  'a server of their own',
  async () => {
    for (const line of installsOf('README.md', 'Over HTTP')) await good(installable(line))
    const [own = ''] = blocksOf('README.md', 'Over HTTP', 'ts')
    writeFileSync(join(project, 'server.mjs'), asHere(own))
    const server = await start('node server.mjs')
    const [, scrape = ''] = blocksOf('README.md', 'Over HTTP', 'sh')
    expect(JSON.parse(await good(asHere(scrape)))).toMatchObject({ success: true })
    await stop(server)
  },
  timeout,
)

test(
  'the command line',
  async () => {
    const [shell = ''] = blocksOf('README.md', 'From the shell', 'sh')
    const [crawl = '', map = '', batch = ''] = asHere(shell).split('\n')
    await good(crawl)
    expect(readdirSync(join(project, 'pages')).length).toBeGreaterThan(3)
    await good(map)
    const addresses = readFileSync(join(project, 'urls.txt'), 'utf8').trim().split('\n')
    expect(addresses.length).toBeGreaterThan(3)
    const documents = (await good(batch)).trim().split('\n')
    expect(documents).toHaveLength(addresses.length)
    expect(JSON.parse(documents[0] ?? '')).toHaveProperty('metadata')
  },
  timeout,
)

function exampleIn(text: string, name: string): string {
  return text.split(`<!-- example: ${name} -->`)[1]?.split('```ts\n')[1]?.split('\n```')[0] ?? ''
}

test(
  'the API in an Express app',
  async () => {
    const file = 'docs/own-server.md'
    const text = readFileSync(join(root, file), 'utf8')
    for (const line of installsOf(file, 'Express')) await good(installable(line))
    await good('npm pkg set type=module')
    writeFileSync(join(project, 'server-express.ts'), exampleIn(text, 'server-express.ts'))
    const [, main = '', ask = ''] = /```ts\n([^]*?)\n```\n\n```sh\n([^]*?)\n```/.exec(text) ?? []
    writeFileSync(join(project, 'main.ts'), asHere(main).replace('3000', String(port)))
    children.push(spawn('node', ['main.ts'], { cwd: project, env: environment() }))
    const scrape = asHere(ask).replace('localhost:3000', `localhost:${port}`)
    const asked = async (): Promise<unknown> => {
      const { out } = await run(scrape)
      return out === '' ? undefined : JSON.parse(out)
    }
    await expect.poll(asked).toMatchObject({ success: true, data: { markdown: expect.any(String) } })
    await stop(children.at(-1)!)
  },
  timeout,
)

test(
  'a plugin with its test, and the contract of a store',
  async () => {
    const tutorial = readFileSync(join(root, 'docs/first-plugin.md'), 'utf8')
    const install = /npm install @harvestman\/core zod/.exec(tutorial)?.[0] ?? ''
    await good(installable(install))
    for (const name of ['plugin-whole.ts', 'plugin-whole-test.ts'])
      writeFileSync(join(project, name), exampleIn(tutorial, name))
    const command = /^node --test [\w.-]+$/m.exec(tutorial)?.[0] ?? ''
    expect(await good(command)).toMatch(/pass 2/)
    const text = readFileSync(join(root, 'docs/plugins.md'), 'utf8')
    for (const name of ['plugin-store.ts', 'store-contract.ts'])
      writeFileSync(join(project, name), exampleIn(text, name))
    await good(installable('npm install @harvestman/testing'))
    expect(await good('node --test store-contract.ts')).toMatch(/fail 0/)
  },
  timeout,
)

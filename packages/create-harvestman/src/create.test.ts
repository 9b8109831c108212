import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { parse } from 'yaml'
import { afterAll, expect, test } from 'vitest'

import { run, type Terminal } from './command.ts'
import { ownVersion, packageName } from './create.ts'
import { templates } from './templates.ts'

const folder = mkdtempSync(join(tmpdir(), 'create-harvestman-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the command where nothing can be asked, or with these answers. */
async function command(args: readonly string[], answers?: string[], more: Partial<Terminal> = {}) {
  const said = { out: '', err: '' }
  const code = await run(args, {
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    ask: answers && (async () => answers.shift() ?? ''),
    manager: 'npm',
    ...more,
  })
  return { code, ...said }
}

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

function manifestOf(project: string): Manifest {
  return JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as Manifest
}

test.each(templates)('the template $name becomes a project, and the next steps are printed', async ({ name, next }) => {
  const project = join(folder, `My ${name}`)
  const { code, out } = await command(['--template', name, project])
  expect(code).toBe(0)
  for (const step of ['npm install', ...next]) expect(out).toContain(`  ${step}\n`)
  const files = readdirSync(project, { recursive: true, encoding: 'utf8' })
  expect(files).toEqual(expect.arrayContaining(['README.md', 'package.json', 'tsconfig.json', '.gitignore']))
  const texts = files.filter((file) => statSync(join(project, file)).isFile())
  for (const file of texts) expect(readFileSync(join(project, file), 'utf8')).not.toMatch(/\{\{|workspace:/)
  const { name: called, dependencies, devDependencies } = manifestOf(project)
  expect(called).toBe(`my-${name}`)
  expect({ ...dependencies, ...devDependencies }['@harvestman/core']).toBe(`^${ownVersion()}`)
})

test('other packages have the versions that this repository is tested with', async () => {
  const workspace = readFileSync(new URL('../../../pnpm-workspace.yaml', import.meta.url), 'utf8')
  const { catalog, catalogs } = parse(workspace) as {
    readonly catalog: Readonly<Record<string, string>>
    readonly catalogs: Readonly<Record<string, Readonly<Record<string, string>>>>
  }
  const ofNext = { ...catalog, ...catalogs['next'] }
  for (const { name } of templates) {
    const { dependencies, devDependencies, peerDependencies } = manifestOf(join(folder, `My ${name}`))
    const all = Object.entries({ ...dependencies, ...devDependencies, ...peerDependencies })
    const others = all.filter(([other]) => !other.startsWith('@harvestman/'))
    const tested = name === 'next' ? ofNext : catalog
    expect(Object.fromEntries(others)).toEqual(
      Object.fromEntries(others.map(([other]) => [other, `^${tested[other]}`])),
    )
  }
})

test('each server has a key of its own, which only the ignored file holds', async () => {
  const keyIn = (project: string) => /KEY=(\S+)/.exec(readFileSync(join(project, '.env'), 'utf8'))?.[1] ?? ''
  const [one, two] = ['hono', 'express'].map((name) => join(folder, `My ${name}`))
  expect(keyIn(one!)).toMatch(/^[\w-]{32}$/)
  expect(keyIn(one!)).not.toBe(keyIn(two!))
  const files = readdirSync(one!, { recursive: true, encoding: 'utf8' }).filter((file) => file.includes('.'))
  const holders = files.filter((file) => readFileSync(join(one!, file), 'utf8').includes(keyIn(one!)))
  expect(holders).toEqual(['.env'])
  expect(readFileSync(join(one!, '.gitignore'), 'utf8')).toContain('.env\n')
})

test('a folder with files is left as it is, one with a .git alone is taken', async () => {
  const full = join(folder, 'full')
  mkdirSync(full)
  writeFileSync(join(full, 'notes.txt'), 'mine')
  const { code, err } = await command(['--template', 'script', full])
  expect([code, err]).toEqual([2, `${full} is not empty. Name another folder.\n`])
  expect(readdirSync(full)).toEqual(['notes.txt'])
  expect((await command(['--template', 'script', join(full, 'notes.txt')])).err).toContain('is a file')
  mkdirSync(join(folder, 'clone/.git'), { recursive: true })
  expect((await command(['-t', 'script', join(folder, 'clone')])).code).toBe(0)
})

test('a terminal is asked for what is missing, until the answer is a template', async () => {
  const project = join(folder, 'asked')
  const { code, out } = await command([], ['9', '2', project], { manager: 'pnpm' })
  expect(code).toBe(0)
  expect(out).toContain('  2  A server with Hono\n')
  expect(out).toContain('Type a number from 1 to 8.')
  expect(out).toContain('  pnpm install\n  pnpm start\n')
  expect(manifestOf(project).dependencies).toHaveProperty('hono')
})

test('without a terminal, what is missing or unknown is said in one message', async () => {
  expect(await command([])).toMatchObject({ code: 2, err: expect.stringContaining('--template:\n  script') })
  expect(await command(['-t', 'hono'])).toMatchObject({ code: 2, err: expect.stringContaining('Name the folder') })
  expect((await command(['-t', 'koa', 'x'])).err).toContain('The template "koa" does not exist')
  expect((await command(['-t', 'hono', 'x', 'y'])).err).toBe('Name one folder, not 2.\n')
  expect((await command(['--tmplate'])).err).toContain('npm create harvestman')
  expect((await command(['--help'])).out).toContain('Templates:')
})

test.each([
  ['My Project!', 'my-project'],
  ['.hidden', 'hidden'],
  ['日本', 'my-project'],
  ['a'.repeat(300), 'a'.repeat(100)],
])('a project in %j is called %s', (name, expected) => {
  expect(packageName(join('/tmp', name))).toBe(expected)
})

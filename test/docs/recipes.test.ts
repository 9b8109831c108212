import { execFile, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { startChatServer } from '@harvestman/testing'

import { longIf } from '../../scripts/long-tests.ts'
import type { RecipeAnswer, RecipeAsk } from './recipe-child.ts'
import { startRecipeSite, type RecipeSite } from './recipe-site.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

let site: RecipeSite
let folder: string
beforeAll(async () => {
  site = await startRecipeSite()
  folder = await mkdtemp(join(tmpdir(), 'harvestman-recipes-'))
})
afterAll(async () => {
  child?.disconnect()
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

const preload = ['--disable-warning=ExperimentalWarning', '--import', `${root}test/docs/allow-loopback.mjs`]
const fileOf = (name: string): string => `${root}docs/recipes/${name}.ts`
const linesIn = (text: string): readonly string[] => text.trim().split('\n')

/** Runs a recipe as a program of its own, and gives the lines that it prints. */
async function programLinesOf(name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { NODE_OPTIONS: _, ...inherited } = process.env
  const { stdout } = await run(process.execPath, [...preload, fileOf(name), ...args], {
    env: { ...inherited, ...env },
    timeout: 60_000,
  })
  return linesIn(stdout)
}

let child: ChildProcess | undefined

/** Runs a recipe in a process that runs one after another. */
async function linesOf(name: string, args: readonly string[]) {
  const { NODE_OPTIONS: _, ...env } = process.env
  child ??= fork(fileURLToPath(new URL('recipe-child.ts', import.meta.url)), {
    env,
    execArgv: preload,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const heard = once(child, 'message')
  // It is read when it has said that it is ready, or has answered.
  const asked: RecipeAsk = { file: pathToFileURL(fileOf(name)).href, args }
  child.send(asked)
  let [answer] = (await heard) as [RecipeAnswer | { readonly fault: string } | 'ready']
  if (answer === 'ready') [answer] = (await once(child, 'message')) as [RecipeAnswer | { readonly fault: string }]
  if ('fault' in answer) throw new Error(answer.fault)
  expect(answer.left).toEqual([])
  return linesIn(answer.out)
}

interface Case {
  readonly recipe: string
  /** What follows the name of the program: a path stands for an address of the site, `file:` for one of the test. */
  readonly args: readonly string[]
  readonly prints: unknown
}

const unordered = (...lines: readonly unknown[]) =>
  expect.toSatisfy((found: readonly string[]) => {
    expect(found).toEqual(expect.arrayContaining([...lines]))
    return found.length === lines.length
  })

const cases: readonly Case[] = [
  { recipe: 'page-to-file', args: ['/', 'file:page.md'], prints: [expect.stringMatching(/page\.md: Home$/)] },
  { recipe: 'product', args: ['/kettle'], prints: ['Kettle costs 29.50 EUR'] },
  { recipe: 'broken-links', args: ['/'], prints: [expect.stringMatching(/^404 .*\/gone$/)] },
  { recipe: 'screenshot', args: ['/', 'file:page.png'], prints: [expect.stringMatching(/page\.png: PNG$/)] },
  { recipe: 'load-more', args: ['/list'], prints: ['3 entries'] },
  { recipe: 'log-in', args: ['/login'], prints: ['Account | Welcome back.'] },
  {
    recipe: 'docs-to-folder',
    args: ['/docs/', 'file:pages'],
    prints: unordered('docs', 'docs_eyes', 'docs_legs', 'docs_old_web'),
  },
  { recipe: 'go-on', args: ['/docs/', 'file:go-on.sqlite'], prints: ['4 of 4 pages'] },
  { recipe: 'go-on', args: ['/docs/', 'file:go-on.sqlite'], prints: ['4 of 4 pages'] },
  { recipe: 'map-then-batch', args: ['/'], prints: expect.arrayContaining(['Docs true']) },
  { recipe: 'pdf-pages', args: ['/report.pdf'], prints: [expect.stringMatching(/^1 pages \| .*A yearly report$/)] },
  {
    recipe: 'file-of-disk',
    args: [`${root}packages/documents/src/fixtures/real/notes.docx`],
    prints: expect.toSatisfy((lines: readonly string[]) => lines.length > 3),
  },
  {
    recipe: 'sitemap-only',
    args: ['/'],
    prints: expect.arrayContaining([expect.stringMatching(/\/kettle$/), expect.stringMatching(/\/pot$/)]),
  },
  {
    recipe: 'passages',
    args: ['/docs/'],
    prints: expect.arrayContaining([expect.stringMatching(/"headings":\[.*"More of Legs"\]/)]),
  },
  { recipe: 'budget', args: ['/docs/'], prints: ['from 1 to 3, and it was 3'] },
  {
    recipe: 'slowly',
    args: ['/docs/'],
    prints: expect.arrayContaining([expect.stringMatching(/^left .*\/docs\/old\/web EXCLUDE_PATTERN$/)]),
  },
  { recipe: 'kept-copy', args: ['/'], prints: ['miss hit'] },
  { recipe: 'deadline', args: ['/slow'], prints: ['timeout'] },
  {
    recipe: 'prices',
    args: ['/kettle', '/pot'],
    prints: unordered(expect.stringMatching(/^29.5 Kettle .*\/kettle$/), expect.stringMatching(/^12 Pot .*\/pot$/)),
  },
  { recipe: 'webhook', args: ['/docs/'], prints: ['crawl.started', 'crawl.completed'] },
  { recipe: 'own-format', args: ['/'], prints: ['1 minutes'] },
  { recipe: 'serve-and-ask', args: ['/'], prints: ['Home true'] },
  { recipe: 'teams', args: ['/'], prints: ['forbidden insufficient_credits 1'] },
  { recipe: 'ai-tools', args: ['/'], prints: ['Home true'] },
  { recipe: 'langchain-documents', args: ['/docs/'], prints: expect.arrayContaining(['Docs true', 'Legs true']) },
  { recipe: 'feed', args: ['/docs/'], prints: ['cancelled'] },
]

const argument = (text: string): string =>
  text.startsWith('file:') ? join(folder, text.slice('file:'.length)) : text.startsWith(root) ? text : site.url + text

const ofBrowsers = new Set(['screenshot', 'load-more'])
for (const { recipe, args, prints } of cases)
  test(`the recipe ${recipe} prints what it promises`, longIf(ofBrowsers.has(recipe)), async () => {
    expect(await linesOf(recipe, args.map(argument))).toEqual(prints)
  })

test('the recipes what-changed and history tell of a page that changes', async () => {
  const args = ['/news', 'file:news.sqlite'].map(argument)
  expect(await linesOf('what-changed', args)).toEqual(['new'])
  site.news('The long-legged ones have won.')
  const [status, ...diff] = await linesOf('what-changed', args)
  expect([status, diff]).toEqual([
    'changed',
    expect.arrayContaining(['-Nothing yet.', '+The long-legged ones have won.']),
  ])
  expect((await linesOf('history', args))[0]).toBe('2 versions')
})

test('the recipe ask-a-page asks the endpoint that the environment names', { tags: ['long'] }, async () => {
  const chat = await startChatServer({ replies: [{ text: 'Harvestmen.' }] })
  try {
    expect(
      await programLinesOf('ask-a-page', [site.url], { OPENAI_BASE_URL: chat.url, MODEL_NAME: 'scripted' }),
    ).toEqual(['Harvestmen.'])
  } finally {
    await chat.close()
  }
})

test('every recipe stands in the cookbook, and is run here', async () => {
  const names = (await readdir(`${root}docs/recipes`)).map((file) => file.replace(/\.ts$/, ''))
  const cookbook = await readFile(`${root}docs/cookbook.md`, 'utf8')
  const shown = [...cookbook.matchAll(/<!-- example: recipes\/([\w-]+)\.ts -->/g)].map(([, name]) => name)
  expect(new Set(shown)).toEqual(new Set(names))
  expect(new Set([...cases.map(({ recipe }) => recipe), 'what-changed', 'history', 'ask-a-page'])).toEqual(
    new Set(names),
  )
})

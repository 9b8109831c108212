// The command that opens a live browser: a task, a script, code of three languages, and what is typed or piped in.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { findBrowser } from '@harvestman/puppeteer'
import { startChatServer, type ChatServer } from '@harvestman/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { answer, on } from './agent/model.ts'
import { startSites, type Sites } from './agent/sites.ts'

beforeEach(({ skip }) => {
  if (!findBrowser()) skip('it drives a real Chromium, and there is none: apt-get install chromium-headless-shell')
  if (spawnSync('bwrap', ['--version']).status !== 0) skip('it starts real jails: apt-get install bubblewrap')
})

const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'harvestman-interact-'))
let sites: Sites
let model: ChatServer

beforeAll(async () => {
  sites = await startSites()
  model = await startChatServer({ replies: [] })
})
afterAll(async () => {
  await sites.close()
  await model.close()
  rmSync(folder, { recursive: true })
})

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const environment = () => ({
  PATH: process.env['PATH'],
  HOME: folder,
  HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8',
  HARVESTMAN_LLM_URL: model.url,
  HARVESTMAN_LLM_MODEL: 'told',
  SHOP_PASSWORD: 'hunter2!',
})

/** Runs a program to its end. */
async function ended(program: string, args: readonly string[], input = ''): Promise<Ended> {
  const child = spawn(program, args, { env: environment() })
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => (said[stream] += text))
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, ...said }
}

const interact = (path: string, args: readonly string[] = [], input?: string): Promise<Ended> =>
  ended(process.execPath, [main, 'interact', sites.origin + path, ...args], input)

function fileOf(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

// Each command is a process of its own, which starts a browser of its own.
const slow = { timeout: 120_000 }

describe('harvestman interact', slow, () => {
  test('has a task carried out, keeps what was done, and does it again without a model', async () => {
    const secret = ['--secret', `SHOP_PASSWORD@${sites.origin}`]
    const file = join(folder, 'login.json')
    model.script([
      on('fill', 'textbox "Name"', { text: 'ann' }),
      on('fill', 'textbox "Password"', { text: '{{SHOP_PASSWORD}}' }),
      on('click', 'button "Log in"'),
      answer(/balance is \d+ coins/),
    ])
    const first = await interact('/login', ['--prompt', 'Log in and tell the balance.', '--save', file, ...secret])
    expect(first).toMatchObject({ code: 0, stdout: 'balance is 48 coins\n' })
    expect(first.stderr).toMatch(/✓ fill "e\d+" "ann"\n✓ fill "e\d+" "\{\{SHOP_PASSWORD\}\}"\n✓ click/)
    expect(readFileSync(file, 'utf8')).not.toContain('hunter2!')
    const asked = model.requests.length
    sites.received.length = 0
    const again = await interact('/login', ['--script', file, ...secret, '--json'])
    expect(again.code).toBe(0)
    expect(JSON.parse(again.stdout)).toMatchObject({ success: true, page: { title: 'Account' } })
    expect(sites.received).toEqual([{ name: 'ann', password: 'hunter2!' }])
    expect(model.requests.length).toBe(asked)
    sites.change({ otherPassword: true })
    const changed = await interact('/login', ['--script', file, ...secret])
    sites.change({})
    expect(changed.code).toBe(1)
    expect(changed.stderr).toContain('Step 3 of 3 (click button "Log in") did not go as before.')
  })

  test('runs code of three languages, by the ending of the file, the flag, or from a pipe', async () => {
    const node = await interact('/form', ['--code', fileOf('a.js', 'console.log("hi"); await page.title()')])
    expect(node).toEqual({ code: 0, stdout: 'hi\nOrder a shirt\n', stderr: '' })
    const python = await interact('/form', ['--code', fileOf('a.txt', 'await page.title()'), '--language', 'python'])
    expect(python).toEqual({ code: 0, stdout: 'Order a shirt\n', stderr: '' })
    const bash = await interact('/form', ['--code', '-', '--language', 'bash'], 'agent-browser get title; exit 3')
    expect(bash).toMatchObject({ code: 3, stdout: 'Order a shirt\n' })
    const late = await interact('/form', ['--code', fileOf('b.js', 'for (;;);'), '--timeout', '1'])
    expect(late).toMatchObject({ code: 137, stderr: expect.stringContaining('longer than 1 s') as unknown })
  })

  test('takes commands from a pipe, prints what changed after each, and ends at the first that fails', async () => {
    const commands = [
      '# a comment',
      'fill e1 Ann Lee',
      'node await page.inputValue("[name=name]")',
      'goto /nowhere',
      'click e1',
    ]
    const { code, stdout, stderr } = await interact('/form', [], commands.join('\n'))
    expect(stdout).toContain(`Order a shirt — ${sites.origin}/form\n- heading "Order a shirt" [level=1]`)
    expect(stdout).toMatch(/\n- +- textbox "Name" \[required\]\n\+ +- textbox "Name" value="Ann Lee" \[required\]/)
    expect(stdout).toMatch(/\nAnn Lee\n\(nothing has changed\)\n$/)
    expect(stderr).not.toBe('')
    expect(code).not.toBe(0)
    const good = await interact('/pages', [], 'click e1\nexit\nclick e1\n')
    expect(good).toMatchObject({ code: 0, stderr: '' })
    expect(good.stdout).toMatch(/- - heading "Page 1 of 5"|Beetles — .*page=2/)
    expect(good.stdout).not.toContain('Page 3')
  })

  test('prompts a person in a terminal, and goes on after a command that fails', async () => {
    if (spawnSync('script', ['--version']).status !== 0) return console.log('no terminal: util-linux has script')
    const words = `${process.execPath} ${main} interact ${sites.origin}/form`
    const { code, stdout } = await ended('script', ['-qec', words, '/dev/null'], 'nonsense\nfill e1 Ann\nexit\n')
    expect(code).toBe(0)
    expect(stdout).toContain('(help lists the commands)')
    expect(stdout).toContain('> ')
    expect(stdout).toContain('There is no command nonsense.')
    expect(stdout).toContain('value="Ann"')
  })

  test.each([
    [['--prompt', 'x', '--code', 'y'], /Give one of/],
    [['--code', '/nowhere.js'], /cannot be read/],
    [['--code', main, '--language', 'perl'], /perl is no language/],
    [['--prompt', 'x', '--secret', 'PASSWORD'], /not NAME@ORIGIN/],
    [['--prompt', 'x', '--secret', 'NOWHERE@https://a.test'], /NOWHERE is not set/],
    [['--prompt', 'x', '--timeout', '0'], /1 to 3600/],
  ])('refuses %j before anything is opened', async (args, sentence) => {
    const { code, stdout, stderr } = await interact('/form', args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
  })
})

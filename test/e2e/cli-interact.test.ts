// @module-tag long
// @module-tag python3
// @module-tag browser
// @module-tag bubblewrap
// The command that opens a live browser: a task, a script, code of three languages, and what is typed or piped in.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startChatServer, type ChatServer } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { answer, on } from './live-tasks/model.ts'
import { startSites, type Sites } from './live-tasks/sites.ts'
import { bareEnv, main, startProgram, type Ended } from './command.ts'
import { warmCommand, type WarmCommand } from './warm-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'harvestman-interact-'))
let sites: Sites
let model: ChatServer
let warm: WarmCommand

beforeAll(async () => {
  sites = await startSites()
  model = await startChatServer({ replies: [] })
  warm = warmCommand({ env: environment() })
})
afterAll(async () => {
  await warm.close()
  await sites.close()
  await model.close()
  rmSync(folder, { recursive: true })
})

const environment = () =>
  bareEnv(folder, {
    HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8',
    HARVESTMAN_LLM_URL: model.url,
    HARVESTMAN_LLM_MODEL: 'told',
    SHOP_PASSWORD: 'hunter2!',
  })

/** Runs a program to its end. */
function ended(program: string, args: readonly string[], input = ''): Promise<Ended> {
  const started = startProgram(program, args, { env: environment() })
  started.feed(input)
  return started.ended
}

const interact = (path: string, args: readonly string[] = [], stdin = ''): Promise<Ended> =>
  warm.run(['interact', sites.origin + path, ...args], { stdin })

function fileOf(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

// Each command starts a browser of its own.
const slow = { timeout: 600_000 }

describe('harvestman interact', slow, () => {
  test(
    'has a task carried out, keeps what was done, and does it again without a model',
    { tags: ['long'] },
    async () => {
      const secret = ['--secret', `SHOP_PASSWORD@${sites.origin}`]
      const file = join(folder, 'login.json')
      model.script([
        on('fill', 'textbox "Name"', { text: 'ann' }),
        on('fill', 'textbox "Password"', { text: '{{SHOP_PASSWORD}}' }),
        on('click', 'button "Log in"'),
        answer(/balance is \d+ coins/),
      ])
      const first = await interact('/login', ['--prompt', 'Log in and tell the balance.', '--save', file, ...secret])
      expect(first).toMatchObject({ code: 0, out: 'balance is 48 coins\n' })
      expect(first.err).toMatch(/✓ fill "e\d+" "ann"\n✓ fill "e\d+" "\{\{SHOP_PASSWORD\}\}"\n✓ click/)
      expect(readFileSync(file, 'utf8')).not.toContain('hunter2!')
      const asked = model.requests.length
      sites.received.length = 0
      const again = await interact('/login', ['--script', file, ...secret, '--json'])
      expect(again.code).toBe(0)
      expect(JSON.parse(again.out)).toMatchObject({ success: true, page: { title: 'Account' } })
      expect(sites.received).toEqual([{ name: 'ann', password: 'hunter2!' }])
      expect(model.requests.length).toBe(asked)
      sites.change({ otherPassword: true })
      const changed = await interact('/login', ['--script', file, ...secret])
      sites.change({})
      expect(changed.code).toBe(1)
      expect(changed.err).toContain('✓ fill textbox "Name"\n')
      expect(changed.err).toContain('Step 3 of 3 (click button "Log in") did not go as it was recorded.')
    },
  )

  test(
    'runs code of three languages, by the ending of the file, the flag, or from a pipe',
    { tags: ['long'] },
    async () => {
      const node = await interact('/form', ['--code', fileOf('a.js', 'console.log("hi"); await page.title()')])
      expect(node).toEqual({ code: 0, out: 'hi\nOrder a shirt\n', err: '' })
      const python = await interact('/form', ['--code', fileOf('a.txt', 'await page.title()'), '--language', 'python'])
      expect(python).toEqual({ code: 0, out: 'Order a shirt\n', err: '' })
      const bash = await interact('/form', ['--code', '-', '--language', 'bash'], 'agent-browser get title; exit 3')
      expect(bash).toMatchObject({ code: 3, out: 'Order a shirt\n' })
      const late = await interact('/form', ['--code', fileOf('b.js', 'for (;;);'), '--timeout', '1'])
      expect(late).toMatchObject({ code: 137, err: expect.stringContaining('longer than 1 s') as unknown })
    },
  )

  test(
    'takes commands from a pipe, prints what changed after each, and ends at the first that fails',
    { tags: ['long'] },
    async () => {
      const commands = [
        '# a comment',
        'fill e1 Ann Lee',
        'node await page.inputValue("[name=name]")',
        'goto /nowhere',
        'click e1',
      ]
      const program = [main, 'interact', `${sites.origin}/form`]
      const { code, out, err } = await ended(process.execPath, program, commands.join('\n'))
      expect(out).toContain(`Order a shirt — ${sites.origin}/form\n- heading "Order a shirt" [level=1]`)
      expect(out).toMatch(/\n- +- textbox "Name" \[required\]\n\+ +- textbox "Name" value="Ann Lee" \[required\]/)
      expect(out).toMatch(/\nAnn Lee\n\(nothing has changed\)\n$/)
      expect(err).not.toBe('')
      expect(code).not.toBe(0)
      const good = await interact('/pages', [], 'click e1\nexit\nclick e1\n')
      expect(good).toMatchObject({ code: 0, err: '' })
      expect(good.out).toMatch(/- - heading "Page 1 of 5"|Beetles — .*page=2/)
      expect(good.out).not.toContain('Page 3')
    },
  )

  test('prompts a person in a terminal, and goes on after a command that fails', async () => {
    if (spawnSync('script', ['--version']).status !== 0) return console.log('no terminal: util-linux has script')
    const words = `${process.execPath} ${main} interact ${sites.origin}/form`
    const { code, out } = await ended('script', ['-qec', words, '/dev/null'], 'nonsense\nfill e1 Ann\nexit\n')
    expect(code).toBe(0)
    expect(out).toContain('(help lists the commands)')
    expect(out).toContain('> ')
    expect(out).toContain('nonsense is not a command.')
    expect(out).toContain('value="Ann"')
  })

  test.each([
    [['--prompt', 'x', '--code', 'y'], /Give one of/],
    [['--code', '/nowhere.js'], /cannot be read/],
    [['--code', main, '--language', 'perl'], /--language perl is not supported; use one of node, python, bash/],
    [['--prompt', 'x', '--secret', 'PASSWORD'], /not NAME@ORIGIN/],
    [['--prompt', 'x', '--secret', 'NOWHERE@https://a.test'], /NOWHERE is not set/],
    [['--prompt', 'x', '--timeout', '0'], /1 to 3600/],
  ])('refuses %j before anything is opened', async (args, sentence) => {
    const { code, out, err } = await interact('/form', args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(sentence)
  })
})

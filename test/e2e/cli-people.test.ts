// @module-tag long
// What a person at a terminal meets: colours and progress, completion, settings, watching, the page, the docs, the report.
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startSite, type Site } from '@harvestman/testing'
import { launch } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { plainBrowser } from '../plain-browser.ts'
import { bareEnv, main, startCommand, startProgram, untilSaid } from './command.ts'
import { warmCommand } from './warm-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'harvestman-cli-people-'))
let site: Site
let own: Server
let looks = 0

beforeAll(async () => {
  site = await startSite()
  own = createServer((_, response) => {
    looks += 1
    const words = 'A page that says the same each time it is asked for, in enough words to be content. '.repeat(3)
    response.setHeader('content-type', 'text/html')
    response.end(
      `<title>Prices</title><main><h1>Prices</h1><p>${words}</p><p>The lamp costs ${looks} euros today.</p></main>`,
    )
  })
  await once(own.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  await warm.close()
  await site.close()
  own.close()
  rmSync(folder, { recursive: true })
})

const environment = bareEnv(folder, { TERM: 'xterm', HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8' })

const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  startCommand(args, { env: { ...environment, ...env }, cwd: folder })

const warm = warmCommand({ env: environment, cwd: folder })
const run = (...args: readonly string[]) => warm.run(args)

/** Runs the command on a pseudo-terminal of 100 columns, and gives all that it wrote there. */
async function onTerminal(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const script = `
import os, pty, sys, fcntl, termios, struct
def read(fd):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 100, 0, 0))
    return os.read(fd, 65536)
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:], read)))`
  const terminal = startProgram('python3', ['-c', script, process.execPath, main, ...args], {
    env: { ...environment, ...env },
    cwd: folder,
  })
  terminal.feed('')
  expect(await terminal.ended).toMatchObject({ code: 0, err: '' })
  return terminal.said.out
}

describe('On a terminal', { tags: ['python3'] }, () => {
  test('a job has a line that lives, with rate and time left, and colours for statuses', async () => {
    const args = [
      'batch',
      ...Array.from({ length: 8 }, (_, index) => `${site.url}/good/article?${index}`),
      `${site.url}/status/404`,
    ]
    const text = await onTerminal([...args, '--store', 'memory:', '-c', '1'])
    expect(text).toMatch(/\r\u001B\[2K[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] [█░]{20} \d\/9 {2}[\d.]+\/s/)
    expect(text).toContain('ETA')
    expect(text).toContain('\u001B[32m200\u001B[0m')
    expect(text).toContain('\u001B[33m404\u001B[0m')
    expect(text).toContain('\u001B[32m✓\u001B[0m batch completed: 9 pages, 9 credits')
  })

  test('control characters of a page are left out, and a pipe gets every one', async () => {
    const file = join(folder, 'control.html')
    writeFileSync(file, '<main><h1>A</h1><pre>one&#27;]0;title&#7;two&#27;[2Athree&#x202E;four</pre></main>')
    const text = await onTerminal(['scrape', file])
    expect(text).toContain('one]0;titletwo[2Athreefour')
    const piped = start(['scrape', file])
    piped.feed('')
    await piped.ended
    expect(piped.said.out).toContain('one\u001B]0;title\u0007two\u001B[2Athreefour')
  })

  test('there is no colour for those who want none', { tags: ['long'] }, async () => {
    const text = await onTerminal(['batch', `${site.url}/good/article`, '--store', 'memory:'], { NO_COLOR: '1' })
    expect(text).toContain('batch completed')
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/\u001B\[\d+m/)
  })
})

describe('A failure', () => {
  test('is a sentence and the next step', async () => {
    expect(await run('scrape', 'http://10.0.0.1/')).toMatchObject({
      err: expect.stringMatching(/\S\.\n {2}→ .*--allow-private/) as string,
    })
    const { err, code } = await run('scrape', `${site.url}/good/article`, '-f', 'summary')
    expect(err).toMatch(/\n {2}→ .*harvestman doctor\n/)
    expect(code).toBe(3)
  })
})

describe('harvestman completion', () => {
  const script = async (shell: string): Promise<string> => {
    const file = join(folder, `completion.${shell}`)
    writeFileSync(file, (await run('completion', shell)).out)
    return file
  }

  test('completes commands, options and their values in bash', async () => {
    const file = await script('bash')
    const complete = (...words: readonly string[]): readonly string[] => {
      const line = `source ${file}; COMP_WORDS=(harvestman ${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length}; _harvestman; printf '%s\\n' "\${COMPREPLY[@]}"`
      return execFileSync('bash', ['-c', line], { encoding: 'utf8' }).trim().split('\n')
    }
    expect(complete('cra')).toEqual(['crawl'])
    expect(complete('crawl', '--si')).toEqual(['--sitemap'])
    expect(complete('crawl', '--sitemap', '')).toEqual(['skip', 'include', 'only'])
    expect(complete('scrape', '-f', 'ma')).toEqual(['markdown'])
    expect(complete('completion', '')).toEqual(['bash', 'zsh', 'fish'])
  })

  test('is right zsh', { tags: ['zsh'] }, async () => {
    const file = await script('zsh')
    const text = readFileSync(file, 'utf8')
    expect(spawnSync('zsh', ['-n', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
    expect(text).toMatch(/--sitemap'\[[^\]]+\]:value:\(skip include only\)'/)
  })

  test('completes in fish', { tags: ['fish'] }, async () => {
    const file = await script('fish')
    const complete = (line: string) =>
      execFileSync('fish', ['-c', `source ${file}; complete -C '${line}'`], { encoding: 'utf8' })
    expect(complete('harvestman crawl --sitemap ')).toMatch(/^include\t/m)
    expect(complete('harvestman wat')).toMatch(/^watch\t/m)
  })
})

describe('harvestman init', () => {
  test(
    'writes a file that commands of the folder read, and never over one that is there',
    { tags: ['long'] },
    async () => {
      const place = mkdtempSync(join(folder, 'init-'))
      const there = warmCommand({ env: environment, cwd: place })
      const inPlace = (...args: readonly string[]) => there.run(args)
      expect((await inPlace('init')).err).toContain('Wrote harvestman.jsonc')
      expect(await inPlace('init')).toMatchObject({ code: 2, err: expect.stringContaining('--force') as string })
      const file = join(place, 'harvestman.jsonc')
      const text = readFileSync(file, 'utf8')
      expect(text).toContain('In the environment: HARVESTMAN_PORT')
      writeFileSync(file, text.replace(/\/\/ "port": \d+,/, '"port": 4999, // ours'))
      expect((await inPlace('doctor')).out).toMatch(/port from harvestman\.jsonc|harvestman\.jsonc/)
      expect((await inPlace('init', '--print')).out).toBe(text)
      await there.close()
    },
  )
})

describe('harvestman watch', () => {
  test(
    'prints what changed, runs a command with it, and ends cleanly when it is told to',
    { tags: ['long'] },
    async () => {
      const seen = join(folder, 'seen.jsonl')
      const url = `http://127.0.0.1:${(own.address() as AddressInfo).port}/`
      const watching = start(['watch', url, '--every', '1s', '--store', 'memory:', '--run', `cat >> ${seen}`])
      await vi.waitFor(
        () => expect(watching.said.out).toMatch(/\n-.*costs \d+ euros[\s\S]*\n\+.*costs \d+ euros/),
        60_000,
      )
      await vi.waitFor(() => expect(existsSync(seen)).toBe(true), 60_000)
      watching.child.kill('SIGINT')
      const { code, out, err } = await watching.ended
      expect(out).toMatch(/^\S+Z {2}new {6}http/)
      expect([code, err]).toEqual([0, expect.stringContaining('Stopped.')])
      const [first = ''] = readFileSync(seen, 'utf8').split('\n')
      expect(JSON.parse(first)).toMatchObject({
        url,
        status: 'changed',
        diff: expect.stringContaining('euros') as string,
      })
    },
  )

  test('posts changes to an address, and goes on when the page is away', { tags: ['long'] }, async () => {
    const got: unknown[] = []
    let isAway = false
    const both = createServer((request, response) => {
      if (request.method === 'POST') {
        let body = ''
        request.on('data', (piece) => (body += String(piece))).on('end', () => got.push(JSON.parse(body)))
        return response.end()
      }
      isAway = !isAway
      if (!isAway) return request.socket.destroy()
      return response
        .setHeader('content-type', 'text/html')
        .end(`<main><h1>Now</h1><p>${performance.now()} ${'words that stay. '.repeat(20)}</p></main>`)
    })
    await once(both.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(both.address() as AddressInfo).port}`
    const { code, err } = await run(
      'watch',
      url,
      '--every',
      '1s',
      '--times',
      '5',
      '--store',
      'memory:',
      '--webhook',
      `${url}/hook`,
    )
    both.close()
    expect(code).toBe(0)
    expect(err.trim().split('\n').length).toBeGreaterThanOrEqual(1)
    expect(got).toContainEqual(expect.objectContaining({ status: 'changed' }))
  })
})

describe('harvestman open', () => {
  test('starts a server where none runs, and otherwise names the one that does', async () => {
    // Below the ports that the system gives to connections.
    const port = String(20_000 + (process.pid % 12_000))
    const first = start(['open', '--print', '--port', port])
    await untilSaid(first, 'out', new RegExp(`http://127\\.0\\.0\\.1:${port}`), 60_000)
    expect(await run('open', '--print', '--port', port)).toMatchObject({ code: 0, out: `http://127.0.0.1:${port}/\n` })
    first.child.kill('SIGTERM')
    expect((await first.ended).code).toBe(0)
  })
})

describe('harvestman docs', () => {
  test('serves the site that was built, and nothing outside of it', async () => {
    const built = join(folder, 'built')
    mkdirSync(built)
    for (const page of ['index', 'quick-start', '404']) writeFileSync(join(built, `${page}.html`), `The page ${page}.`)
    writeFileSync(join(folder, 'outside.html'), 'Not for readers.')
    const serving = start(['docs', '--port', '0', '--folder', built])
    await untilSaid(serving, 'out', /^http/, 30_000)
    const url = serving.said.out.trim()
    const answerTo = async (path: string) => {
      const response = await fetch(url + path)
      return [response.status, await response.text()]
    }
    expect(await answerTo('')).toEqual([200, 'The page index.'])
    expect(await answerTo('quick-start')).toEqual([200, 'The page quick-start.'])
    for (const path of ['no-such-page', '..%2foutside.html', '..%2foutside'])
      expect(await answerTo(path)).toEqual([404, 'The page 404.'])
    serving.child.kill('SIGINT')
    expect((await serving.ended).code).toBe(0)
  })

  test('says where it looked in vain', async () => {
    const { code, err } = await run('docs', '--port', '0', '--folder', folder)
    expect([code, err]).toEqual([expect.any(Number), expect.stringContaining(`not built in ${folder}`)])
    expect(code).not.toBe(0)
  })
})

describe('The report of a crawl', () => {
  test('opens without a network or a complaint, and sorts its pages', { tags: ['long', 'browser'] }, async () => {
    const file = join(folder, 'report.html')
    const { code, err } = await run('crawl', `${site.url}/`, '--limit', '20', '--store', 'memory:', '--report', file)
    expect([code, err]).toEqual([0, expect.stringContaining(`Report: ${file}`)])
    const chromium = await launch({ executablePath: await plainBrowser(), args: ['--no-sandbox'] })
    try {
      const page = await chromium.newPage()
      const faults: string[] = []
      page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())))
      page.on('request', (request) => void (request.url().startsWith('http') && faults.push(request.url())))
      await page.goto(`file://${file}`)
      const rows = await page.$$eval('.pages tbody tr', (all) => all.length)
      expect(rows).toBeGreaterThan(3)
      expect(await page.$$eval('figure svg', (all) => all.length)).toBeGreaterThanOrEqual(6)
      await page.click('.pages thead th:nth-child(5) button')
      const sizes = await page.$$eval('.pages tbody tr', (all) =>
        all.map((row) => Number(row.querySelectorAll('td')[4]?.getAttribute('data-v'))),
      )
      expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
      expect(faults).toEqual([])
    } finally {
      await chromium.close()
    }
  })
})

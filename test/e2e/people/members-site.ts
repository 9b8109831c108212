// A site for members, and a person who logs in through the link of a request.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import puppeteer, { type Browser, type Page } from 'puppeteer-core'

import { plainBrowser } from '../../plain-browser.ts'

/** A site whose pages are for members, and whose sessions can end. */
export interface MembersSite {
  readonly origin: string
  /** How often each page was shown to a member. */
  readonly shown: ReadonlyMap<string, number>
  /** How often a login page was shown. */
  readonly loginPages: number
  /** Ends all sessions once as many pages were shown. */
  endSessionsAfter(pages: number): void
  close(): Promise<void>
}

const loginPage = `<title>Log in</title><body style="margin:0"><h1 style="position:fixed;top:0">Please log in</h1>
<form method="post" action="/login"><input type="password" name="password" aria-label="Password"
style="position:fixed;left:0;top:40%;width:100%;height:20%;font-size:40px;box-sizing:border-box"><button hidden>Log in</button></form>`

const button = '<button style="position:fixed;left:0;top:40%;width:100%;height:20%">Go on</button>'

/** Pages that a visitor sees until a button is clicked, with their status. */
const prompts: Readonly<Record<string, readonly [status: number, html: string]>> = {
  gate: [403, '<title>Robot?</title><p>Please show that you are not a robot.</p><div class="g-recaptcha"></div>'],
  wine: [200, '<title>Wine</title><p>Are you over 18?</p>'],
  vault: [200, '<title>Two-factor authentication</title><p>Enter the code.</p><input autocomplete="one-time-code">'],
}

/** Starts a site with `pages` pages behind a login, which the page `/` links to. */
export async function startMembersSite(pages: number): Promise<MembersSite> {
  const shown = new Map<string, number>()
  const sessions = new Set<string>()
  let [loginPages, made, endsAt] = [0, 0, Infinity]
  const links = Array.from({ length: pages }, (_, number) => `<a href="/page/${number}">Page ${number}</a>`).join(' ')
  const server = createServer((request, response) => {
    const { url = '/', headers } = request
    const { pathname } = new URL(url, 'http://site.test')
    const session = /session=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? ''
    response.setHeader('content-type', 'text/html')
    if (pathname === '/login' && request.method === 'POST') {
      const next = `s${++made}`
      sessions.add(next)
      const location = /from=([\w/]+)/.exec(headers.cookie ?? '')?.[1] ?? '/'
      request.resume()
      response.writeHead(303, { location, 'set-cookie': `session=${next}; Path=/; Max-Age=9999; HttpOnly` })
      return response.end()
    }
    if (pathname === '/login') {
      loginPages += 1
      return response.end(loginPage)
    }
    if (pathname === '/robots.txt' || pathname === '/favicon.ico') return response.writeHead(404).end()
    if (pathname === '/solve') {
      const name = new URL(url, 'http://site.test').searchParams.get('name') ?? ''
      response.writeHead(303, { location: `/${name}`, 'set-cookie': `${name}=open; Path=/; Max-Age=9999` })
      return response.end()
    }
    const name = pathname.slice(1)
    const prompt = prompts[name]
    if (prompt) {
      if (headers.cookie?.includes(`${name}=open`)) return response.end('<main><h1>Gate</h1><p>This is open.')
      const [status, html] = prompt
      return response
        .writeHead(status)
        .end(`${html}<form action="/solve"><input type=hidden name=name value=${name}>${button}</form>`)
    }
    if (!sessions.has(session)) {
      response.writeHead(302, { location: '/login', 'set-cookie': `from=${pathname}; Path=/` })
      return response.end()
    }
    shown.set(pathname, (shown.get(pathname) ?? 0) + 1)
    const count = [...shown.values()].reduce((sum, one) => sum + one, 0)
    if (count === endsAt) sessions.clear()
    return response.end(
      `<title>${pathname}</title><main><h1>Members</h1><p>This is ${pathname}.</p>${pathname === '/' ? links : ''}</main>`,
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shown,
    get loginPages() {
      return loginPages
    },
    endSessionsAfter: (count) => {
      shown.clear()
      endsAt = count
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The options of a scrape that logs in and saves the profile. */
export const logIn = (origin: string, name: string) =>
  ({
    url: `${origin}/login`,
    profile: { name, saveChanges: true },
    actions: [
      { type: 'click', selector: 'input' },
      { type: 'write', text: 'secret' },
      { type: 'press', key: 'Enter' },
      { type: 'wait', selector: 'main' },
    ],
  }) as const

/** Starts the browser of a person. */
export const startPerson = async (): Promise<Browser> =>
  puppeteer.launch({ executablePath: await plainBrowser(), args: ['--no-sandbox'] })

/** Opens a link and the browser in it, and logs in there with mouse and keyboard. Returns the page with the buttons. */
export async function logInByLink(person: Browser, link: string): Promise<Page> {
  const page = await person.newPage()
  await page.setViewport({ width: 1_300, height: 1_000 })
  await page.goto(link)
  await page.click('#open')
  const frame = await (await page.waitForSelector('iframe'))!.contentFrame()
  await frame.waitForSelector('#state[data-state=live]')
  await frame.waitForSelector('canvas:not(.empty)')
  await frame.click('canvas')
  await page.keyboard.type('secret')
  await page.keyboard.press('Enter')
  return page
}

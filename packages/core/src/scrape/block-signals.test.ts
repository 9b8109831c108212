import { describe, expect, test } from 'vitest'

import type { Page } from '../plugin/parts.ts'
import { detectBlock as detect } from './block-signals.ts'

const requested = new URL('https://a.example/')
const now = Date.parse('2026-12-01T00:00:00Z')
const detectBlock = (seen: Page) => detect(seen, requested, now)

function page(status: number, headers: Record<string, string> = {}, body = '<h1>Page</h1>'): Page {
  const bytes = new TextEncoder().encode(body)
  return {
    url: 'https://a.example/',
    status,
    headers,
    body: bytes,
    captured: {},
    actions: {},
    proxyUsed: 'basic',
    warnings: [],
  }
}

describe('a refusal is known by', () => {
  test.each([
    ['Cloudflare', page(403, { 'cf-mitigated': 'challenge' })],
    ['Cloudflare', page(503, {}, '<title>Just a moment...</title>')],
    ['Cloudflare', page(403, {}, '<script src="/cdn-cgi/challenge-platform/h/b.js"></script>')],
    ['Vercel', page(429, { 'x-vercel-mitigated': 'challenge' })],
    ['AWS WAF', page(202, { 'x-amzn-waf-action': 'challenge' }, '')],
    ['DataDome', page(403, {}, '<script src="https://geo.captcha-delivery.com/x.js">')],
    ['HUMAN', page(403, {}, '<div id="px-captcha">')],
    ['Akamai', page(403, {}, '<p>https://errors.edgesuite.net/18.1</p>')],
    ['Imperva', page(200, {}, '<iframe src="/_Incapsula_Resource?x">')],
    ['Kasada', page(429, { 'x-kpsdk-ct': 'x' })],
    ['Sucuri', page(403, {}, '<title>Sucuri WebSite Firewall - Access Denied</title>')],
    ['DDoS-Guard', page(403, { server: 'ddos-guard' })],
    ['Anubis', page(200, {}, '<script id="anubis_challenge" type="application/json">')],
  ])('the wall of %s', (wall, refusal) => {
    expect(detectBlock(refusal)).toMatchObject({ wall, reason: expect.stringContaining(wall) })
  })

  test.each([[401], [403], [406]])('status %i alone, without a name for the wall', (status) => {
    expect(detectBlock(page(status))).toEqual({ signal: 'status', reason: `The host answered ${status}.` })
  })

  test.each([
    ['challenge', 200, '<script>document.cookie = "pass=1; path=/"; location.reload()</script>'],
    ['challenge', 503, '<h1>Wait</h1><script>document.cookie="a=b";window.location.href = "/"</script>'],
    [
      'challenge',
      200,
      '<title>Just a moment</title><p>Checking your browser before you continue.</p><script src="/c.js"></script>',
    ],
    ['address', 403, '<h1>Forbidden</h1><p>Your IP address 192.0.2.1 has been banned.</p>'],
    ['address', 200, '<p>Your IP has been temporarily blocked.</p>'],
    [
      'captcha',
      200,
      '<p>Please verify that you are not a robot.</p><form><div class="g-recaptcha" data-sitekey="x"></div></form>',
    ],
    [
      'captcha',
      403,
      '<p>Enter the characters you see in the image</p><form><img src="/captcha.png"><input name="answer"></form>',
    ],
    ['login', 403, '<form><input name="user"><input type="password" name="secret"></form>'],
    ['soft', 200, '<h1>Access Denied</h1><p>Our systems have detected unusual traffic from your network.</p>'],
    [
      'soft',
      200,
      '<title>Pardon Our Interruption</title><p>Something about your browser made us think you are a bot.</p>',
    ],
  ])('its page: %s with status %i', (signal, status, body) => {
    expect(detectBlock(page(status, { 'content-type': 'text/html' }, body))).toMatchObject({ signal })
  })

  test.each([
    ['Enter the code shown below', 'soft'],
    ['Type the characters in the image', 'soft'],
    ['Enter the code shown on your TV', undefined],
  ])('"%s" beside an image: %s', (sentence, signal) => {
    const body = `<p>${sentence}. No robots.</p><img src="/1.png"><form><input name="code"></form>`
    expect(detectBlock(page(200, {}, body))?.signal).toBe(signal)
  })

  test('a redirect to a page to log in', () => {
    const form = page(200, {}, '<form><input type="password"></form>')
    expect(detectBlock({ ...form, url: 'https://a.example/wp-login.php' })).toMatchObject({ signal: 'login' })
    expect(detectBlock({ ...form, url: 'https://a.example/blog/single-sign-on-for-teams' })).toBeUndefined()
    expect(detectBlock({ ...form, url: 'https://a.example/login?next=/' })).toMatchObject({ signal: 'login' })
    expect(detectBlock({ ...form, url: 'https://a.example/members' })).toBeUndefined()
    expect(
      detect({ ...form, url: 'https://a.example/login?x' }, new URL('https://a.example/login'), now),
    ).toBeUndefined()
  })
})

test.each([
  [429, { 'retry-after': '3' }, { signal: 'rate', retryAfter: 3_000 }],
  [503, { 'retry-after': 'Tue, 01 Dec 2026 00:00:10 GMT' }, { signal: 'rate', retryAfter: 10_000 }],
  [429, {}, { signal: 'rate', retryAfter: undefined }],
] as const)('status %i with %o is a limit of requests, with the time to wait', (status, headers, block) => {
  expect(detectBlock(page(status, headers))).toMatchObject(block)
})

test.each([
  [429, { 'retry-after': '3', server: 'ddos-guard' }, 'Hello'],
  [429, { 'retry-after': '3', 'x-datadome': 'protected' }, 'Hello'],
  [503, { 'retry-after': '3' }, '<script src="/cdn-cgi/challenge-platform/h/b.js"></script>'],
])('status %i with a time to wait is a limit of requests behind a wall, too: %o', (status, headers, body) => {
  expect(detectBlock(page(status, headers, body))).toMatchObject({ signal: 'rate', retryAfter: 3_000 })
})

test('a header that only block pages have is a wall, even with a time to wait', () => {
  const headers = { 'retry-after': '3', 'cf-mitigated': 'challenge' }
  expect(detectBlock(page(429, headers))).toMatchObject({ signal: 'wall', wall: 'Cloudflare' })
})

test('no page takes long, whatever its bytes', { tags: ['long'] }, () => {
  const pieces = ['<', '<input ', '<img src=', '<img ', '<a ', '<script ', 'class="', 'recaptcha', 'src=', 'name=']
  const starts = ['', '<!--', '<img ', '<input ', '<script>']
  const bodies = starts.flatMap((start) => pieces.map((piece) => start + piece.repeat(60_000 / piece.length)))
  for (let round = 0; round < 10; round += 1)
    for (const body of bodies) detectBlock(page(403, { 'content-type': 'text/html' }, body))
})

describe('no refusal is', () => {
  test.each([
    ['a good page', page(200)],
    ['a good page that writes of walls', page(200, {}, '<p>errors.edgesuite.net and Just a moment...</p>')],
    ['a large page behind a wall that let it pass', page(200, {}, `_Incapsula_Resource${'x'.repeat(20_000)}`)],
    ['a page that is not there', page(404)],
    ['a wish for a password', page(401, { 'www-authenticate': 'Basic' })],
    ['a wish for a password behind a wall', page(401, { 'www-authenticate': 'Basic', 'x-datadome': 'protected' })],
    [
      'a code for another device',
      page(200, {}, '<p>Enter the code shown on your TV. No robots.</p><input name="code">'),
    ],
    ['a page on bots', page(200, {}, '<h1>Bot detection</h1><p>Our product measures bot traffic.</p>')],
    ['a host that is down', page(503)],
    [
      'a contact form with a captcha',
      page(
        200,
        {},
        '<p>Are you human? Then write to us.</p><form><input name="mail"><textarea></textarea><div class="h-captcha"></div></form>',
      ),
    ],
    ['a note on robots', page(200, {}, '<h1>Robots</h1><p>Automated tools help. A robot is not a human.</p>')],
    [
      'a long text on blocked access',
      page(
        200,
        {},
        `<h1>Access denied: the causes</h1>${'<p>It is an error of the web server, with many causes.</p>'.repeat(15)}`,
      ),
    ],
    [
      'a page that sets a cookie and has links',
      page(200, {}, '<script>document.cookie="a=1";function f(){location.reload()}</script><a href="/x">Next</a>'),
    ],
    ['a file of text', page(200, { 'content-type': 'text/plain' }, 'Access denied')],
    ['a page to log in that was requested', page(200, {}, '<form><input type="password"></form>')],
    ['a fault of the host', page(500)],
  ])('%s', (_, good) => {
    expect(detectBlock(good)).toBeUndefined()
  })
})

import { createHmac } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { signedHeaders, verifyWebhook } from './sign.ts'

const body = Buffer.from('{"test": 2432232314}')
const stamp = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330 }
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const now = stamp.timestamp * 1000

describe('a signed message', () => {
  test('has the signature that the standard gives for its own example', () => {
    expect(signedHeaders(body, stamp, [secret])['webhook-signature']).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })

  test('has the signature of the public API, over the body alone', () => {
    const hex = createHmac('sha256', 'secret').update(body).digest('hex')
    expect(signedHeaders(body, stamp, ['secret'])['x-firecrawl-signature']).toBe(`sha256=${hex}`)
  })

  test('has no signature when there is no secret, and says when and which it is', () => {
    expect(signedHeaders(body, stamp, [])).toEqual({ 'webhook-id': stamp.id, 'webhook-timestamp': '1614265330' })
  })

  test('is known to a receiver that has the old or the new secret while both are in use', () => {
    const headers = signedHeaders(body, stamp, ['new', 'old'])
    expect(verifyWebhook({ headers, body }, 'new', now)).toBe(true)
    expect(verifyWebhook({ headers, body }, ['other', 'old'], now)).toBe(true)
    expect(verifyWebhook({ headers, body }, 'other', now)).toBe(false)
  })
})

describe('a message is refused', () => {
  const headers = signedHeaders(body, stamp, [secret])

  test('when it is older than five minutes, or from later than that', () => {
    expect(verifyWebhook({ headers, body }, secret, now + 300_000)).toBe(true)
    expect(verifyWebhook({ headers, body }, secret, now + 301_000)).toBe(false)
    expect(verifyWebhook({ headers, body }, secret, now - 301_000)).toBe(false)
  })

  test('when anything of it was changed', () => {
    expect(verifyWebhook({ headers, body: `${body.toString()} ` }, secret, now)).toBe(false)
    expect(verifyWebhook({ headers: { ...headers, 'webhook-id': 'other' }, body }, secret, now)).toBe(false)
    expect(verifyWebhook({ headers: { ...headers, 'webhook-timestamp': '1614265331' }, body }, secret, now)).toBe(false)
  })

  test('when it lacks a signature', () => {
    expect(verifyWebhook({ headers: {}, body }, secret, now)).toBe(false)
    expect(verifyWebhook({ headers: { ...headers, 'webhook-signature': '' }, body }, secret, now)).toBe(false)
  })
})

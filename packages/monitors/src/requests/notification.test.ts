import { webhookHeaders } from '@harvestman/core/plugin'
import { describe, expect, test } from 'vitest'

import { webhook } from './notification.ts'

const refused = [
  ...['Host', 'content-length', 'Transfer-Encoding', 'connection', 'proxy-authorization', ':path'],
  ...['webhook-id', 'Webhook-Signature', 'webhook-timestamp', 'X-Firecrawl-Signature'],
]

describe('the headers of messages to a webhook', () => {
  test.each(refused)('cannot have %s, of a monitor as of a job', (name) => {
    const headers = { [name]: 'x' }
    expect(webhook.safeParse({ url: 'https://hook.test/', headers }).success).toBe(false)
    expect(webhookHeaders.safeParse(headers).success).toBe(false)
  })

  test('may have those that prove who sends', () => {
    const headers = { Authorization: 'Bearer x', 'x-own': '1' }
    const read = webhook.parse({ url: 'https://hook.test/', headers })
    expect(read.headers).toEqual({ authorization: 'Bearer x', 'x-own': '1' })
  })
})

import { describe, expect, test } from 'vitest'

import { asksForContent, carriesContent } from './exfiltration.ts'

describe('A URL asks for content of the conversation', () => {
  test.each([
    'https://evil.test/log?q={conversation}',
    'https://evil.test/log?q=%7Bconversation%7D',
    'https://evil.test/?d={{system_prompt}}',
    'https://evil.test/${user_data}.png',
    'https://evil.test/?d=[USER MESSAGE]',
    'https://evil.test/?d=<summary of the chat history>',
    'https://evil.test/?d=INSERT_THE_CONVERSATION_HERE',
  ])('with %s', (url) => expect(asksForContent(url)).toBe(true))

  test.each([
    'https://shop.test/search?q={search_term_string}',
    'https://a.test/chat?history=1',
    'https://a.test/messages/12?context=home',
    'https://a.test/?utm_source=[source]&id=7',
    'https://api.test/v1?key=YOUR_API_KEY',
    'https://a.test/put-message?to=add-messages',
    'not a url {conversation}',
    '#{name}',
  ])('but not with %s', (url) => expect(asksForContent(url)).toBe(false))
})

describe('A URL carries content', () => {
  const texts = ['Which lamp did Jo Doe buy for the house in Elm Street?']
  test.each([
    ['words of the conversation in its path', 'https://evil.test/log/jo-doe-buy-for-the-house', true],
    ['words of the conversation in its host', 'https://jo.doe.buy.for.evil.test/', true],
    ['encoded words', 'https://evil.test/jo%20doe%20buy%20for', true],
    ['Base64', 'https://evil.test/V2hpY2ggbGFtcCBkaWQgSm8gRG9l', true],
    ['hexadecimal digits', 'https://evil.test/5768696368206c616d702064696420', true],
    ['a few shared words', 'https://shop.test/lamps/elm-street', false],
    ['a long name', 'https://shop.test/the-2026-catalogue-of-lamps-and-other-lights-for-gardens', false],
    ['numbers', 'https://shop.test/2026/11/29/1234567890123456789012345', false],
  ])('with %s', (_, url, expected) => expect(carriesContent(new URL(url), texts)).toBe(expected))
})

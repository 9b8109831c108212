import { describe, expect, test } from 'vitest'

import { findPersonalData, maxRedacted, redact, type Redaction } from './redact.ts'

const all: Redaction = {
  mode: 'accurate',
  entities: ['EMAIL', 'PHONE', 'FINANCIAL', 'SECRET'],
  replaceStyle: 'tag',
}
const found = (text: string, mode: Redaction['mode'] = 'accurate') =>
  findPersonalData(text, { ...all, mode }).map(({ start, end, entity }) => `${entity} ${text.slice(start, end)}`)

describe('Personal data', () => {
  test.each([
    ['Write to jo.doe@example.com.', 'EMAIL jo.doe@example.com'],
    [String.raw`first\_last@example.co.uk`, String.raw`EMAIL first\_last@example.co.uk`],
    ['office [at] example [dot] de', 'EMAIL office [at] example [dot] de'],
    ['Tel: 030 1234567', 'PHONE 030 1234567'],
    ['(tel:+15558675309)', 'PHONE +15558675309'],
    ['+44 (0)20 7946 0958', 'PHONE +44 (0)20 7946 0958'],
    ['| 06 12 34 56 78 |', 'PHONE 06 12 34 56 78'],
    ['(212) 555-7890', 'PHONE (212) 555-7890'],
    ['070-123 45 67', 'PHONE 070-123 45 67'],
    ['DE89 3704 0044 0532 0130 00', 'FINANCIAL DE89 3704 0044 0532 0130 00'],
    ['card 4111-1111-1111-1111', 'FINANCIAL 4111-1111-1111-1111'],
    ['SSN 536-90-4399', 'FINANCIAL 536-90-4399'],
    ['529.982.247-25', 'FINANCIAL 529.982.247-25'],
    ['PESEL 44051401359', 'FINANCIAL 44051401359'],
    ['RSSMRA85T10A562S', 'FINANCIAL RSSMRA85T10A562S'],
    ['811218-9876', 'FINANCIAL 811218-9876'],
    ['12345678Z', 'FINANCIAL 12345678Z'],
    ['password: hunter2abc', 'SECRET hunter2abc'],
    ['AKIAIOSFODNN7EXAMPLE', 'SECRET AKIAIOSFODNN7EXAMPLE'],
    ['https://user:pass123@example.com/', 'SECRET user:pass123'],
  ])('is found in %s', (text, expected) => {
    expect(found(text)).toEqual([expected])
  })

  test.each([
    'ISBN 978-3-16-148410-0',
    'ISBN 0-306-40615-2',
    'Order number 302-555-1234',
    'Bestellnummer: 030 1234567',
    'EAN 4012345678901',
    '12.05.2023 14:00, 2019-2023',
    'It costs 1,234,567.89 EUR, or 0.123456789.',
    'DE89 3704 0044 0532 0130 01',
    'card 4111 1111 1111 1112',
    '529.982.247-26',
    'https://example.com/p/4111111111111111/536-90-4399',
    'git@github.com:owner/name.git ![a](photo@2x.png)',
    'The pattern `password: string` is a type. password: ******** and token: $TOKEN1',
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  ])('is not found in %s', (text) => {
    expect(found(text)).toEqual([])
  })

  test('is found more widely in the mode aggressive', () => {
    expect(found('| 612 345 678 |')).toEqual([])
    expect(found('| 612 345 678 |', 'aggressive')).toEqual(['PHONE 612 345 678'])
  })

  test('of two numbers in one row is two finds', () => {
    expect(found('(212) 555-7890 (212) 555-7891')).toEqual(['PHONE (212) 555-7890', 'PHONE (212) 555-7891'])
  })

  test('that is not asked for stays, and is not taken for something else', () => {
    const text = 'a@example.com or +49 30 1234567, card 4111 1111 1111 1111'
    expect(redact(text, { ...all, entities: ['PHONE'] })).toBe('a@example.com or <PHONE>, card 4111 1111 1111 1111')
  })

  test.each<[string, Redaction['entities'], string]>([
    ['password: jo.doe@example.com', ['EMAIL'], 'password: <EMAIL>'],
    ['Mail to 4111111111111111@example.com', ['EMAIL'], 'Mail to <EMAIL>'],
    ['token: +15558675309', ['PHONE'], 'token: <PHONE>'],
  ])('in %s is found within data that is not asked for', (text, entities, expected) => {
    expect(redact(text, { ...all, entities })).toBe(expected)
  })

  test.each([
    ['tag', 'Write to <EMAIL>!'],
    ['mask', 'Write to *************!'],
    ['remove', 'Write to !'],
  ] as const)('is replaced in the style %s', (replaceStyle, expected) => {
    expect(redact('Write to a@example.com!', { ...all, replaceStyle })).toBe(expected)
  })

  test('of a text that is too long is not searched, and nothing of the text is given', () => {
    expect(redact('x'.repeat(maxRedacted), all)).toHaveLength(maxRedacted)
    expect(redact('x'.repeat(maxRedacted + 1), all)).toBe('')
  })
})

test('tags are escaped in tables that are written as HTML, and not elsewhere', () => {
  const table =
    '<table>\n<tr><td><a href="mailto:jo@example.com">jo@example.com</a></td></tr>\n<tr><td>x</td></tr>\n</table>'
  const tag = '&lt;EMAIL&gt;'
  const redacted = table.replaceAll('jo@example.com', tag)
  const text = (one: string, other: string) => `${one} \\<table>\n\n${other}\n\n${one}\n\n- x\n\n  ${other}\n\n${one}`
  expect(redact(text('jo@example.com', table), all)).toBe(text('<EMAIL>', redacted))
})

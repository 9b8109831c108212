import { EngineError } from '@harvestman/ports'
import { describe, expect, test } from 'vitest'

import { threatProtection } from '../schema/threat-protection.ts'
import { threatRules } from './rules.ts'

function ruleFor(url: string, lists: object): string | undefined {
  const found = threatRules(threatProtection.parse(lists))?.find(new URL(url))
  return found && `${found.rule}: ${found.entry}`
}

describe('A host is blocked', () => {
  test.each([
    ['https://evil.test/a', 'evil.test', true],
    ['https://deep.down.evil.test/', 'evil.test', true],
    ['https://notevil.test/', 'evil.test', false],
    ['https://evil.test.example/', 'evil.test', false],
    ['https://EVIL.test./', ' Evil.Test ', true],
    ['https://a.evil.test/', '*.evil.test', true],
    ['https://a.b.evil.test/', '*.evil.test', true],
    ['https://evil.test/', '*.evil.test', false],
    ['https://bücher.test/', 'xn--bcher-kva.test', true],
    ['https://xn--bcher-kva.test/', 'bücher.test', true],
    ['http://2130706433/', '127.0.0.1', true],
    ['http://127.0.0.1/', '0x7f000001', true],
    ['http://127.0.0.1/', '0177.0.0.1', true],
    ['http://127.1/', '2130706433', true],
    ['http://[::ffff:7f00:1]/', '127.0.0.1', true],
    ['http://[::FFFF:127.0.0.1]/', '[::ffff:7f00:1]', true],
    ['http://[0:0::1]/', '[::1]', true],
    ['http://93.184.0.1/', '184.0.1', false],
    ['http://1.2.3.4/', '*.3.4', false],
  ])('%s by the entry %s: %s', (url, entry, isBlocked) => {
    expect(ruleFor(url, { blacklist: [entry] }) !== undefined).toBe(isBlocked)
  })

  test.each([
    ['https://a.b.zip/', 'blocked-tld: zip'],
    ['https://zip.example/', undefined],
    ['https://a.notzip/', undefined],
    ['https://пример.рф/', 'blocked-tld: xn--p1ai'],
    ['http://1.2.3.4/', undefined],
  ])('%s by its top-level domain: %s', (url, rule) => {
    expect(ruleFor(url, { blockedTlds: ['ZIP', 'xn--p1ai', '4'] })).toBe(rule)
  })

  test('by the first list of these: allowed hosts, blocked hosts, blocked top-level domains', () => {
    const lists = { whitelist: ['good.evil.zip'], blacklist: ['evil.zip'], blockedTlds: ['zip'] }
    expect(ruleFor('https://good.evil.zip/', lists)).toBeUndefined()
    expect(ruleFor('https://bad.evil.zip/', lists)).toBe('blacklist: evil.zip')
    expect(ruleFor('https://other.zip/', lists)).toBe('blocked-tld: zip')
  })

  test('with an error that has the URL without its password, and the rule', () => {
    const rules = threatRules(threatProtection.parse({ blacklist: ['evil.test'] }))
    const error = (() => {
      try {
        rules?.check(new URL('https://jo:secret@evil.test/a'))
      } catch (thrown) {
        return thrown
      }
    })()
    expect(EngineError.is(error) && [error.code, error.message, error.details]).toEqual([
      'unsafe_domain_blocked',
      'Threat protection blocks https://evil.test/a: "evil.test" is in blacklist (blacklist).',
      { rule: 'blacklist', entry: 'evil.test' },
    ])
  })
})

test.each([[undefined], [null], [false], [{ mode: 'off', blacklist: ['a.test'] }]])('%j has no rules', (given) => {
  expect(threatProtection.parse(given)).toBeUndefined()
})

test.each([
  [{ mode: 'normal' }, /classifier/],
  [{ mode: 'zscaler' }, /zscaler/],
  [{ mode: 'strict' }, /mode/],
  [{ blacklist: ['https://a.test'] }, /https:\/\/a\.test/],
  [{ blacklist: ['a.test/path'] }, /a\.test\/path/],
  [{ whitelist: ['a.test:80'] }, /a\.test:80/],
  [{ blacklist: ['*.*.a.test'] }, /must be a host/],
  [{ blacklist: [''] }, /must be a host/],
  [{ blacklist: [`${'a'.repeat(250)}.test`] }, /must be a host/],
  [{ blockedTlds: ['.zip'] }, /\.zip/],
  [{ blockedTlds: ['co.uk'] }, /co\.uk/],
  [{ blacklist: Array.from({ length: 1_001 }, (_, at) => `h${at}.test`) }, /1000/],
  [{ riskScoreThreshold: 101 }, /100/],
  [{ failurePolicy: 'maybe' }, /failurePolicy/],
  [{ greylist: [] }, /greylist/],
])('%j is refused', (given, message) => {
  const { success, error } = threatProtection.safeParse(given)
  expect([success, JSON.stringify(error?.issues)]).toEqual([false, expect.stringMatching(message)])
})

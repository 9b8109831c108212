import { describe, expect, test } from 'vitest'

import { isSameHost, isSameSite, registrableDomain } from './domains.ts'

describe('the registrable domain of', () => {
  test.each([
    ['example.com', 'example.com'],
    ['a.b.example.com', 'example.com'],
    ['WWW.Example.COM.', 'example.com'],
    ['shop.example.co.uk', 'example.co.uk'],
    ['co.uk', 'co.uk'],
    ['me.github.io', 'me.github.io'],
    ['deep.me.github.io', 'me.github.io'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['city.kawasaki.jp', 'city.kawasaki.jp'],
    ['localhost', 'localhost'],
    ['192.168.0.1', '192.168.0.1'],
    ['[2001:db8::1]', '[2001:db8::1]'],
  ])('%s is %s', (host, domain) => {
    expect(registrableDomain(host)).toBe(domain)
  })
})

describe('one host', () => {
  test.each([
    ['example.com', 'www.example.com'],
    ['www.example.com', 'EXAMPLE.com.'],
    ['example.com:8080', 'example.com'],
    ['127.0.0.1:80', '127.0.0.1:80'],
  ])('is %s and %s', (one, other) => {
    expect(isSameHost(one, other)).toBe(true)
    expect(isSameSite(one, other)).toBe(true)
  })

  test.each([
    ['example.com', 'blog.example.com'],
    ['example.com', 'www.www.example.com'],
    ['127.0.0.1:80', '127.0.0.1:81'],
    ['localhost:80', 'localhost'],
    ['[::1]:80', '[::1]:81'],
    ['www.com', 'com'],
  ])('is not %s and %s', (one, other) => {
    expect(isSameHost(one, other)).toBe(false)
  })
})

describe('one site', () => {
  test.each([
    ['example.com', 'blog.example.com'],
    ['a.example.co.uk', 'b.c.example.co.uk'],
    ['127.0.0.1:80', '127.0.0.1:80'],
  ])('is %s and %s', (one, other) => {
    expect(isSameSite(one, other)).toBe(true)
  })

  test.each([
    ['example.com', 'example.com.evil.com'],
    ['example.com', 'evilexample.com'],
    ['example.com', 'example.com-evil.com'],
    ['example.com', 'example.co'],
    ['example.com', 'exаmple.com'],
    ['example.com', 'xn--exmple-4nf.com'],
    ['a.co.uk', 'b.co.uk'],
    ['a.github.io', 'b.github.io'],
    ['github.io', 'b.github.io'],
    ['example.com', 'com'],
    ['10.0.0.1', '1.0.0.1'],
    ['1.2.3.4', '9.2.3.4'],
    ['localhost:80', 'localhost:81'],
    ['example.com', ''],
  ])('is not %s and %s', (one, other) => {
    expect(isSameSite(one, other)).toBe(false)
    expect(isSameHost(one, other)).toBe(false)
  })
})

import { describe, expect, test } from 'vitest'
import { parseHtml } from '../parse/parse.ts'
import { writeMarkdown } from '../markdown/write-markdown.ts'
import { mayBeStreamed, placeStreamedParts } from './streamed.ts'

function shown(html: string): string {
  const { root } = parseHtml(html)
  placeStreamedParts(root)
  return writeMarkdown(root)
    .split('\n')
    .filter((line) => line !== '')
    .join(' ')
}

describe('parts that a page streams late', () => {
  test('stand where the script would put them, whatever their numbers', () => {
    const html = `<main><p>a</p><template id="B:0"></template><p>c</p></main>
      <div hidden id="S:3"><p>b</p><template id="P:4"></template></div><script>$RC("B:0","S:3")</script>
      <div hidden id="S:4"><p>b2</p></div><script>$RS("S:4","P:4")</script>`
    expect(mayBeStreamed(html)).toBe(true)
    expect(shown(html)).toBe('a b b2 c')
  })

  test('take the place of their own number when no script says more', () => {
    expect(shown('<p>a</p><template id="B:1"></template><p>c</p><div hidden id="S:1">b</div>')).toBe('a b c')
  })

  test('are shown where they are when their place is missing, or inside themselves', () => {
    expect(shown('<p>a</p><div hidden id="S:1">b</div><script>$RC("B:9","S:1")</script>')).toBe('a b')
    expect(shown('<div hidden id="S:1">b<template id="B:1"></template></div>')).toBe('b')
  })

  test('other hidden elements stay hidden', () => {
    expect(shown('<p>a</p><div hidden id="side">b</div><div hidden>c</div>')).toBe('a')
    expect(mayBeStreamed('<div id="side">')).toBe(false)
  })
})

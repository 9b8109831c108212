import { describe, expect, test } from 'vitest'
import { parseHtml } from '../parse/parse.ts'
import { readSignals, type Signals } from './signals.ts'

const signals = (html: string): Signals => readSignals(parseHtml(html).root)

describe('signals', () => {
  test('tell the shell of an application from a page', () => {
    const shell =
      '<title>App</title><div id="root"> </div><noscript>You need to enable JavaScript to run this app.</noscript><script src="a.js"></script><script>var x = 1</script>'
    expect(signals(shell)).toMatchObject({
      scriptLength: 9,
      scripts: 1,
      emptyAppRoot: true,
      asksForScripts: true,
      noscriptLength: 46,
      links: 0,
    })
    const page = '<div id="root"><h1>Hello</h1><a href="x">there</a></div><script src="a.js"></script>'
    expect(signals(page)).toMatchObject({ emptyAppRoot: false, asksForScripts: false, links: 1 })
  })

  test('see the request in other languages and in the page itself, and not in a long text about it', () => {
    expect(signals('<p>Bitte aktivieren Sie JavaScript').asksForScripts).toBe(true)
    expect(signals('<p>JavaScript is disabled in your browser').asksForScripts).toBe(true)
    expect(signals(`<p>${'word '.repeat(600)} enable JavaScript`).asksForScripts).toBe(false)
  })

  test('tell when a page sends its reader elsewhere', () => {
    expect(signals('<meta http-equiv="refresh" content="5; url=/x">').refresh).toBe(5_000)
    expect(signals('<p>x').refresh).toBeNull()
  })
})

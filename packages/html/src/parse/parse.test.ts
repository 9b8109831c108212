import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseHtml } from './parse.ts'
import { toHtml } from './serialize.ts'
import type { Element, Node } from '../tree/tree.ts'
import { elementsOf, nextNode, textOf } from '../tree/walk.ts'

const bodyOf = (html: string): string =>
  toHtml(parseHtml(`<!doctype html><body>${html}`).body).slice('<body>'.length, -'</body>'.length)

function depthOf(root: Element): number {
  let deepest = 0
  for (let node: Node | null = root; node; node = nextNode(node, root)) {
    let depth = 0
    for (let at = node.parent; at; at = at.parent) depth++
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

describe('the skeleton', () => {
  test.each(['', 'text', '<p>text', '<title>t</title>', '<html><body>', '</div>', '<!-- c -->', '\uFEFF<p>x'])(
    '%j becomes a page with one head and one body',
    (html) => {
      const { root, html: top, head, body } = parseHtml(html)
      expect(root.first).toBe(top)
      expect(top.first).toBe(head)
      expect(top.last).toBe(body)
      expect(head.next).toBe(body)
    },
  )

  test('what belongs to the head goes there, with or without a head tag', () => {
    const { head, body } = parseHtml('<title>t</title><meta name=a><p>x<script>y</script>')
    expect(elementsOf(head).map(({ name }) => name)).toEqual(['title', 'meta'])
    expect(elementsOf(body).map(({ name }) => name)).toEqual(['p', 'script'])
  })

  test('a meta between head and body is still part of the head', () => {
    expect(toHtml(parseHtml('<head></head><meta name=a><body>x').head)).toBe('<head><meta name="a"></head>')
  })

  test('attributes of html, head and body are kept, the first of each name', () => {
    const { html, body } = parseHtml('<html lang=en><body class=a><p>x<body class=b id=c><html dir=rtl lang=de>')
    expect({ ...html.attributes }).toEqual({ lang: 'en', dir: 'rtl' })
    expect({ ...body.attributes }).toEqual({ class: 'a', id: 'c' })
  })

  test('content after the end of the body belongs to the body', () => {
    expect(bodyOf('<p>1</p></body></html><p>2</p>')).toBe('<p>1</p><p>2</p>')
  })

  test('an image in the noscript of a head does not end the head', () => {
    const { head, body } = parseHtml('<head><noscript><img src=p></noscript><title>t</title></head><body>x')
    expect(toHtml(head)).toBe('<head><noscript><img src="p"></noscript><title>t</title></head>')
    expect(toHtml(body)).toBe('<body>x</body>')
  })
})

describe('wrong nesting', () => {
  test.each([
    ['a block closes a paragraph', '<p>1<div>2</div>3', '<p>1</p><div>2</div>3'],
    [
      'a list item closes the one before',
      '<ul><li>1<li>2<ul><li>3</ul><li>4</ul>',
      '<ul><li>1</li><li>2<ul><li>3</li></ul></li><li>4</li></ul>',
    ],
    ['terms and meanings close each other', '<dl><dt>a<dd>b<dt>c</dl>', '<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>'],
    [
      'options close each other',
      '<select><option>1<option>2<optgroup><option>3</select>x',
      '<select><option>1</option><option>2</option><optgroup><option>3</option></optgroup></select>x',
    ],
    ['a heading closes a heading', '<h1>1<h2>2</h2>3', '<h1>1</h1><h2>2</h2>3'],
    ['a link closes a link', '<a href="1">a<a href="2">b</a>c', '<a href="1">a</a><a href="2">b</a>c'],
    ['a link reaches over blocks', '<a href="1"><div>a</div>b</a>', '<a href="1"><div>a</div>b</a>'],
    [
      'a link that is never closed does not swallow the next',
      '<p><a href="1">a<p><a href="2">b',
      '<p><a href="1">a</a></p><p><a href="2">b</a></p>',
    ],
    ['formatting goes on in the next block', '<p><b>1<p>2', '<p><b>1</b></p><p><b>2</b></p>'],
    ['formatting that overlaps is split', '<b>1<i>2</b>3</i>', '<b>1<i>2</i></b><i>3</i>'],
    ['a block inside formatting is moved out', '<b>1<p>2</b>3</p>', '<b>1</b><p><b>2</b>3</p>'],
    ['an end tag without a start is ignored', 'a</div></b></li>b', 'ab'],
    ['an end of a paragraph that is not open makes one', 'a</p>b', 'a<p></p>b'],
    ['an end tag of a break is a break', 'a</br>b', 'a<br>b'],
    ['a form inside a form is ignored', '<form id="1"><form id="2"><input></form>x', '<form id="1"><input></form>x'],
    ['a button closes a button', '<button>1<button>2', '<button>1</button><button>2</button>'],
    ['an image tag is an img', '<image src="a">', '<img src="a">'],
    [
      'what is left open in noscript ends with it',
      '<noscript><div><table><tr><td>a</noscript>b',
      '<noscript><div><table><tbody><tr><td>a</td></tr></tbody></table></div></noscript>b',
    ],
    [
      'an end tag in noscript closes nothing outside',
      '<div><noscript></div>a</noscript>b</div>',
      '<div><noscript>a</noscript>b</div>',
    ],
    ['ruby text ends by implication', '<ruby>a<rt>b<rt>c</ruby>', '<ruby>a<rt>b</rt><rt>c</rt></ruby>'],
  ])('%s', (_, html, expected) => {
    expect(bodyOf(html)).toBe(expected)
  })
})

describe('tables', () => {
  test.each([
    [
      'rows get a tbody',
      '<table><tr><td>1<td>2<tr><td>3</table>',
      '<table><tbody><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></tbody></table>',
    ],
    ['cells get a row', '<table><td>1</table>', '<table><tbody><tr><td>1</td></tr></tbody></table>'],
    [
      'columns get a group',
      '<table><col><tr><td>1</table>',
      '<table><colgroup><col></colgroup><tbody><tr><td>1</td></tr></tbody></table>',
    ],
    [
      'sections close each other',
      '<table><thead><tr><th>h<tbody><tr><td>1<tfoot><tr><td>f</table>',
      '<table><thead><tr><th>h</th></tr></thead><tbody><tr><td>1</td></tr></tbody><tfoot><tr><td>f</td></tr></tfoot></table>',
    ],
    [
      'stray text stands before the table',
      '<table>a<tr>b<td>c</td>d</table>e',
      'abd<table><tbody><tr><td>c</td></tr></tbody></table>e',
    ],
    [
      'stray blocks stand before the table',
      '<table><tr><div>a</div><td>b</table>',
      '<div>a</div><table><tbody><tr><td>b</td></tr></tbody></table>',
    ],
    [
      'a table may stand in a cell',
      '<table><tr><td><table><tr><td>1</table>2</table>',
      '<table><tbody><tr><td><table><tbody><tr><td>1</td></tr></tbody></table>2</td></tr></tbody></table>',
    ],
    [
      'a table directly in a table closes it',
      '<table><table><tr><td>1</table>',
      '<table></table><table><tbody><tr><td>1</td></tr></tbody></table>',
    ],
    [
      'formatting does not leak out of a cell',
      '<table><tr><td><b>1<td>2</table>3',
      '<table><tbody><tr><td><b>1</b></td><td>2</td></tr></tbody></table>3',
    ],
    [
      'a caption ends with the first row',
      '<table><caption>c<tr><td>1</table>',
      '<table><caption>c</caption><tbody><tr><td>1</td></tr></tbody></table>',
    ],
    [
      'scripts and hidden fields stay',
      '<table><script>s</script><input type="hidden"><tr><td>1</table>',
      '<table><script>s</script><input type="hidden"><tbody><tr><td>1</td></tr></tbody></table>',
    ],
    ['a row out of a table is only text', '<tr><td>1</td></tr>', '1'],
  ])('%s', (_, html, expected) => {
    expect(bodyOf(html)).toBe(expected)
  })

  test('a table closes a paragraph, except in pages of the old kind', () => {
    expect(toHtml(parseHtml('<!doctype html><p><table>').body)).toBe('<body><p></p><table></table></body>')
    expect(toHtml(parseHtml('<p><table>').body)).toBe('<body><p><table></table></p></body>')
    const transitional = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">'
    expect(toHtml(parseHtml(`${transitional}<p><table>`).body)).toBe('<body><p><table></table></p></body>')
  })
})

describe('text', () => {
  test('entities are decoded and neighbours are one node', () => {
    const { body } = parseHtml('<p>don&#39;t &amp; x<!-- c --> y &nope; &ampx &copy</p>')
    const paragraph = body.first as Element
    expect(paragraph.first).toBe(paragraph.last)
    expect(textOf(paragraph)).toBe("don't & x y &nope; &x ©")
  })

  test.each([
    ['textarea', '<textarea><b>1</b>&amp;</textarea>2', '<b>1</b>&', '2'],
    ['title', '<title><b>1</b>&amp;</title>2', '<b>1</b>&', '2'],
    ['script', '<script>if (a<b && "</p>") {}</script>2', 'if (a<b && "</p>") {}', '2'],
    ['style', '<style>a > b {}</style>2', 'a > b {}', '2'],
    ['iframe', '<iframe><p>1</p></iframe>2', '<p>1</p>', '2'],
    ['xmp', '<xmp><p>1</p></xmp>2', '<p>1</p>', '2'],
    ['noembed', '<noembed><p>1</p></noembed>2', '<p>1</p>', '2'],
  ])('the content of %s is text', (name, html, inside, after) => {
    const { root, body } = parseHtml(html)
    const element = elementsOf(root).find((found) => found.name === name)!
    expect(textOf(element)).toBe(inside)
    expect(body.last).toMatchObject({ type: 'text', text: after })
  })

  test('plaintext swallows the rest', () => {
    expect(textOf(parseHtml('<plaintext>a</plaintext><p>b').body)).toBe('a</plaintext><p>b')
  })

  test('the end of a script inside a script that is commented out does not end the outer one', () => {
    const { body } = parseHtml('<body><script><!-- w("<script></script>") --></script>after')
    expect(textOf(body.first!)).toBe('<!-- w("<script></script>") -->')
    expect(body.last).toMatchObject({ text: 'after' })
  })

  test('one line feed after pre is not content', () => {
    expect(textOf(parseHtml('<pre>\n\na</pre>').body)).toBe('\na')
    expect(textOf(parseHtml('<pre>\r\na</pre>').body)).toBe('a')
  })

  test('line ends are line feeds, and NUL is nothing', () => {
    expect(textOf(parseHtml('<pre>a\r\nb\rc\0d</pre>').body)).toBe('a\nb\ncd')
  })

  test.each(['<!--a--!>b', '<!-->b', '<!--->b', '<!-- a -- b -->b', '<!x>b', '<?php x ?>b', '</ x>b'])(
    'the comment in %j ends where a browser ends it',
    (html) => {
      expect(textOf(parseHtml(html).body)).toBe('b')
    },
  )

  test('a lone less-than sign is text', () => {
    expect(textOf(parseHtml('<p>1 < 2 <3 <').body)).toBe('1 < 2 <3 <')
  })
})

describe('attributes', () => {
  test('names are lower case, values decoded, the first of a name counts', () => {
    const { body } = parseHtml('<P CLASS="A &amp; b" id=x ID=y hidden data-E=\'"\'>')
    expect({ ...(body.first as Element).attributes }).toEqual({ class: 'A & b', id: 'x', hidden: '', 'data-e': '"' })
  })

  test('an element has no attribute that the page did not give it', () => {
    const { body } = parseHtml('<p><b __proto__=x constructor=y>')
    const [paragraph, bold] = elementsOf(body)
    expect(paragraph!.attributes['constructor']).toBeUndefined()
    expect('toString' in paragraph!.attributes).toBe(false)
    expect(bold!.attributes['__proto__']).toBe('x')
    expect(bold!.attributes['constructor']).toBe('y')
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })
})

describe('templates and drawings', () => {
  test('what a template holds stays in it, rows too', () => {
    expect(bodyOf('<template><tr><td>1</td></tr></template>2')).toBe('<template><tr><td>1</td></tr></template>2')
  })

  test('svg keeps its own rules until HTML breaks out of it', () => {
    expect(bodyOf('<svg><title>t</title><path/><g><circle></g></svg>a')).toBe(
      '<svg><title>t</title><path></path><g><circle></circle></g></svg>a',
    )
    expect(bodyOf('<svg><g><p>a</p>')).toBe('<svg><g></g></svg><p>a</p>')
    expect(bodyOf('<svg><foreignObject><p>a</p></foreignObject><g></g></svg>b')).toBe(
      '<svg><foreignobject><p>a</p></foreignobject><g></g></svg>b',
    )
    expect(textOf(parseHtml('<svg><![CDATA[<a>]]></svg>').body)).toBe('<a>')
  })
})

describe('limits', () => {
  test('deep elements become siblings, in order, and nothing is lost', () => {
    const { root, body, warnings } = parseHtml(`${'<div>'.repeat(5_000)}deep${'</div>'.repeat(5_000)}<p>after</p>`)
    expect(depthOf(root)).toBeLessThanOrEqual(401)
    expect(textOf(body)).toBe('deepafter')
    expect(elementsOf(body)).toHaveLength(5_001)
    expect(warnings).toEqual(['The page nests deeper than 400 elements; deeper ones were flattened.'])
  })

  test('end tags of flattened elements close nothing else', () => {
    const inner = `<section>${'<div>'.repeat(30)}x${'</div>'.repeat(30)}</section>`
    const { body } = parseHtml(`<div id="outer">${inner}<p>after</p></div><footer>f</footer>`, { depth: 20 })
    const outer = body.first as Element
    expect(outer.attributes['id']).toBe('outer')
    expect(outer.last).toMatchObject({ name: 'p' })
    expect(body.last).toMatchObject({ name: 'footer' })
  })

  test('flattened elements are forgotten when formatting elements around them close', () => {
    const { body } = parseHtml(`${'<div>'.repeat(12)}<b><i><div></div></b><i>x</i>y`, { depth: 16 })
    expect(
      elementsOf(body)
        .map((element) => textOf(element))
        .at(-1),
    ).toBe('x')
  })

  test('an end tag closes an open element before a flattened one of the same name', () => {
    const { body } = parseHtml(`${'<div>'.repeat(13)}<span><q></q><span>x</span>y</span>z`, { depth: 16 })
    const spans = elementsOf(body).filter(({ name }) => name === 'span')
    expect(spans.map(textOf)).toEqual(['', 'x'])
    expect(textOf(body)).toBe('xyz')
  })

  test('an end tag of a flattened element closes nothing else after a formatting element around it was moved', () => {
    const deep = `<b><x-b><x-b><x-b>${'<div>'.repeat(9)}<section><q></b></q></section>t`
    const { body } = parseHtml(`<section id="outer">${deep}`, { depth: 17 })
    const outer = body.first as Element
    expect(outer.attributes['id']).toBe('outer')
    expect(textOf(outer)).toBe('t')
  })

  test('a link at the limit holds its own text', () => {
    const { body } = parseHtml(`${'<div>'.repeat(50)}<a href=x>link</a> tail`, { depth: 20 })
    const link = elementsOf(body).find(({ name }) => name === 'a')!
    expect(textOf(link)).toBe('link')
  })

  test('a page of too many nodes is read up to the limit', () => {
    const { body, warnings } = parseHtml('<p>x'.repeat(1_000), { nodes: 100 })
    expect(elementsOf(body).length).toBeLessThan(60)
    expect(warnings).toEqual(['The page has more than 100 elements and texts; the rest was not read.'])
  })

  test('attributes beyond the limit are dropped', () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `a${index}=1`).join(' ')
    const { body, warnings } = parseHtml(`<p ${many}>x`)
    expect(Object.keys((body.first as Element).attributes)).toHaveLength(1_000)
    expect(warnings).toEqual(['An element has more than 1000 attributes; the rest was dropped.'])
  })
})

describe('hostile pages', () => {
  const many = (piece: string) => (n: number) => piece.repeat(n)
  const numbered = (make: (index: number) => string) => (n: number) =>
    Array.from({ length: n }, (_, i) => make(i)).join('')
  const shapes: Readonly<Record<string, (n: number) => string>> = {
    'unclosed b': many('<b>'),
    'unclosed b of different kinds': numbered((i) => `<b id=${i}>`),
    'unclosed b of different kinds with blocks': numbered((i) => `<b id=${i}><p>`),
    'unclosed a': many('<a>'),
    'unclosed a with blocks': many('<a href=x><div>'),
    'unclosed p': many('<p>'),
    'unclosed tables': many('<table>'),
    'unclosed tables with cells and formatting': many('<b><table><tr><td>'),
    'text in tables': (n) => `<table>${many('x<tr>')(n)}`,
    'overlapping formatting': many('<b><i></b><p></i>'),
    'nested lists': many('<ul><li>'),
    'nested svg': many('<svg><g>'),
    'nested templates': many('<template><table>'),
    'end tags of nothing': (n) => '<span>'.repeat(300) + many('</i></p>')(n),
    'less-than signs': many('<'),
    ampersands: many('&'),
    'comments that never end': many('<!-- '),
    'scripts in comments in scripts': many('<script><!--<script></script>'),
  }

  // A parse that is quadratic in nodes or nests without bound shows in the tree it builds.
  test.each(Object.entries(shapes))('%s cost no more than their length', (_, make) => {
    const count = (html: string): number => {
      const { root } = parseHtml(html)
      expect(depthOf(root)).toBeLessThanOrEqual(402)
      return elementsOf(root).length
    }
    const once = count(make(500))
    const twice = count(make(1_000))
    const thrice = count(make(1_500))
    expect(thrice - twice).toBeLessThanOrEqual((twice - once) * 1.1 + 10)
  })

  test('whatever the text, the tree is well linked', () => {
    const piece = fc.constantFrom(
      ...'<p> <b> </b> <a href=x> </a> <table> <tr> <td> </table> <li> <ul> </ul> <div> </div> x & <h1> </p> <i> </i>'.split(
        ' ',
      ),
      ...'<svg> </svg> <template> </template> <select> <option> <noscript> </noscript> <!--c--> <title> </title> <br>'.split(
        ' ',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const { root } = parseHtml(`<!doctype html>${pieces.join('')}`)
        for (let node: Node | null = root; node; node = nextNode(node, root)) {
          if (node.next) expect(node.next.previous).toBe(node)
          if (node.type === 'element' && node.last) expect(node.last.next).toBeNull()
          if (node.type === 'element' && node.first) expect(node.first.parent).toBe(node)
        }
      }),
      { numRuns: 300 },
    )
  })
})

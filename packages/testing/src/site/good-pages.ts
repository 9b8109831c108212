import { pdf, png, svg } from './files.ts'

/** A well-formed page, with the content that a correct reader finds in it. */
export interface GoodPage {
  readonly path: string
  readonly type: string
  readonly body: string | Uint8Array
  readonly title?: string
  /** Strings that the content contains, in this order. */
  readonly has: readonly string[]
  /** Strings of the surroundings: navigation, notices, advertisements. */
  readonly frame: readonly string[]
  /** Paths that the content links to. */
  readonly links: readonly string[]
}

const utf8 = 'text/html; charset=utf-8'
const frame = ['Our other pages', 'We use cookies to count you', 'Buy a web today', 'All rights belong to spiders']

interface Parts {
  readonly path: string
  readonly title: string
  readonly content: string
  readonly has: readonly string[]
  readonly links?: readonly string[]
  readonly language?: string
  readonly head?: string
}

// Adds the same surroundings to each page, as sites do.
function framed({ path, title, content, has, links = [], language = 'en', head = '' }: Parts): GoodPage {
  const direction = language === 'he' || language === 'ar' ? ' dir="rtl"' : ''
  const body = `<!doctype html>
<html lang="${language}"${direction}>
<head>
  <meta charset="utf-8">
  <title>${title}</title>
  <meta name="description" content="About: ${title}">
  <meta property="og:title" content="${title}">
  ${head}
  <style>body { font: 16px sans-serif }</style>
  <script>window.state = { "visits": 1 }</script>
</head>
<body>
  <header><a href="/">Home</a>
    <nav><h2>Our other pages</h2><ul><li><a href="/good/article">Article</a></li><li><a href="/good/docs">Docs</a></li></ul></nav>
  </header>
  <div class="cookie-banner" role="dialog">We use cookies to count you. <button>Accept</button></div>
  <main>${content}</main>
  <aside class="sidebar advertisement">Buy a web today, and get a second one.</aside>
  <footer><p>All rights belong to spiders. <a href="/good/terms">Terms</a></p></footer>
</body>
</html>`
  return { path, type: utf8, body, title, has, frame, links }
}

const article = framed({
  path: '/good/article',
  title: 'How harvestmen walk',
  head: '<meta name="author" content="Opilia Longleg"><meta property="article:published_time" content="2026-03-01T10:00:00Z">',
  content: `<article>
    <h1>How harvestmen walk</h1>
    <p class="byline">By Opilia Longleg, 1 March 2026</p>
    <p>A harvestman has eight legs, but it walks on six. The second pair is longer, and <strong>feels the way</strong>.</p>
    <h2>Feeling the way</h2>
    <p>With the tips of these legs it touches what lies ahead. Read on in <a href="/good/article/two">the second part</a>.</p>
    <blockquote><p>Whoever has no web must walk.</p></blockquote>
    <figure><img src="/good/picture.png" alt="A harvestman on a wall" width="4" height="4"><figcaption>On a wall</figcaption></figure>
    <h2>Losing a leg</h2>
    <p>When it is caught by a leg, it leaves the leg behind. The leg goes on moving for a while:</p>
    <ol><li>the hunter watches the leg,</li><li>the harvestman walks away,</li><li>the leg does not grow again.</li></ol>
  </article>`,
  has: [
    'How harvestmen walk',
    'but it walks on six',
    'feels the way',
    'Feeling the way',
    'the second part',
    'Whoever has no web must walk.',
    'Losing a leg',
    'the leg does not grow again',
  ],
  links: ['/good/article/two'],
})

const product = framed({
  path: '/good/product',
  title: 'Lamp Opilio',
  head: `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Lamp Opilio","offers":{"@type":"Offer","price":"49.90","priceCurrency":"EUR"}}</script>`,
  content: `<h1>Lamp Opilio</h1><img src="/good/picture.png" alt="The lamp"><p class="price">€ 49.90</p>
    <p>A lamp on eight thin legs, which finds a stand on any floor.</p>
    <dl><dt>Height</dt><dd>160 cm</dd><dt>Weight</dt><dd>2.4 kg</dd></dl>
    <h2>What people say</h2><p>“It has walked into my heart.”</p>`,
  has: [
    'Lamp Opilio',
    '€ 49.90',
    'A lamp on eight thin legs',
    'Height',
    '160 cm',
    'Weight',
    '2.4 kg',
    'walked into my heart',
  ],
})

const things = ['Amber', 'Birch', 'Clover', 'Dew', 'Elder', 'Fern', 'Gorse', 'Heather']

const listing = framed({
  path: '/good/listing',
  title: 'Eight things to find',
  content: `<h1>Eight things to find</h1><div class="grid">${things
    .map(
      (name) =>
        `<div class="card"><h2><a href="/good/thing/${name}">${name}</a></h2><p>Where to find ${name}.</p></div>`,
    )
    .join('')}</div><p><a rel="next" href="/good/listing?page=2">Next page</a></p>`,
  has: ['Eight things to find', ...things.map((name) => `Where to find ${name}.`)],
  links: things.map((name) => `/good/thing/${name}`),
})

const forum = framed({
  path: '/good/forum',
  title: 'Why do they bob up and down?',
  content: `<h1>Why do they bob up and down?</h1>
    <div class="post"><div class="user">walker77</div><div class="text"><p>Each time I come near, they begin to bob. Why is that?</p></div></div>
    <div class="post"><div class="user">longleg</div><div class="text"><p>So that a bird does not see where the body ends.</p><pre><code>bob(fast)</code></pre></div></div>
    <div class="post"><div class="user">walker77</div><div class="text"><p>Thank you, that makes sense to me.</p></div></div>`,
  has: [
    'Why do they bob up and down?',
    'they begin to bob',
    'where the body ends',
    'bob(fast)',
    'that makes sense to me',
  ],
})

const docs = framed({
  path: '/good/docs',
  title: 'walk(legs)',
  content: `<h1><code>walk(legs)</code></h1><p>Moves a harvestman by one step.</p>
    <h2>Example</h2>
    <pre><code class="language-js">import { walk } from 'legs'

for (const leg of legs) {
  if (leg.isFree) walk([leg]) // one at a time
}
</code></pre>
    <h2>Parameters</h2>
    <table><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead>
    <tbody><tr><td><code>legs</code></td><td>list</td><td>those to move</td></tr></tbody></table>
    <ul><li>It waits for no leg.<ul><li>Not even for the longest.</li></ul></li><li>It throws when there is none.</li></ul>`,
  has: [
    'walk(legs)',
    'Moves a harvestman',
    "import { walk } from 'legs'",
    'if (leg.isFree)',
    'those to move',
    'Not even for the longest.',
  ],
})

const years = Array.from({ length: 30 }, (_, index) => 1990 + index)

const table = framed({
  path: '/good/table',
  title: 'Harvestmen by year',
  content: `<h1>Harvestmen by year</h1><table><caption>Counted in one garden</caption>
    <tr><th>Year</th><th>Spring</th><th>Autumn</th></tr>
    ${years.map((year) => `<tr><td>${year}</td><td>${year % 17}</td><td>${(year * 7) % 101}</td></tr>`).join('\n')}
    <tr><td colspan="2">All</td><td>many | more</td></tr></table>`,
  has: ['Harvestmen by year', 'Counted in one garden', 'Autumn', '1990', '2019', 'All'],
})

const rtl = framed({
  path: '/good/rtl',
  title: 'הולך על שמונה',
  language: 'he',
  content:
    '<h1>הולך על שמונה</h1><p>לקוצר שמונה רגליים ארוכות, והוא אינו טווה רשת.</p><p>הוא צועד בלילה בין העלים.</p>',
  has: ['הולך על שמונה', 'והוא אינו טווה רשת', 'הוא צועד בלילה'],
})

const cjk = framed({
  path: '/good/cjk',
  title: '足の長い生き物',
  language: 'ja',
  content: '<h1>足の長い生き物</h1><p>八本の長い足で歩き、網を張らない。</p><p>夜になると葉の間を歩く。</p>',
  has: ['足の長い生き物', '網を張らない', '葉の間を歩く'],
})

const file = (path: string, type: string, body: string | Uint8Array, has: readonly string[] = []): GoodPage => ({
  path,
  type,
  body,
  has,
  frame: [],
  links: [],
})

const files: readonly GoodPage[] = [
  file('/good/data.json', 'application/json', '{"name":"harvestman","legs":8,"web":null}', ['harvestman', 'legs']),
  file(
    '/good/feed.xml',
    'application/xml',
    '<?xml version="1.0" encoding="UTF-8"?><feed><entry id="1"><title>Legs &amp; more</title></entry></feed>',
    ['Legs'],
  ),
  file('/good/rows.csv', 'text/csv; charset=utf-8', 'name,legs\r\n"harvestman, common",8\r\n"said ""eight""",8\r\n', [
    'harvestman, common',
    'said "eight"',
  ]),
  file('/good/readme.md', 'text/markdown; charset=utf-8', '# Harvestman\n\nEight *legs*, no web.\n', [
    '# Harvestman',
    '*legs*',
  ]),
  file('/good/notes.txt', 'text/plain; charset=utf-8', 'Notes\n=====\n\n* eight legs\n* <no> web & no silk\n', [
    'eight legs',
    '<no> web & no silk',
  ]),
  file('/good/paper.pdf', 'application/pdf', pdf('A harvestman in a paper'), ['A harvestman in a paper']),
  file('/good/picture.png', 'image/png', png()),
  file('/good/picture.svg', 'image/svg+xml', svg),
]

/** Every good page, with its expected content. */
export const goodPages: readonly GoodPage[] = [article, product, listing, forum, docs, table, rtl, cjk, ...files]

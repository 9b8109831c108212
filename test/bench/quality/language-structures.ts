// The structures of generated pages, each as a kind of site writes it.
import type { Story, Structure, Writer } from './language-pages.ts'

const list = <T>(length: number, item: (index: number) => T): T[] => Array.from({ length }, (_, index) => item(index))
const p = (texts: readonly string[], attributes = ''): string =>
  texts.map((text) => `<p${attributes}>${text}</p>`).join('')

function menu({ labels, phrase }: Writer, names = ''): string {
  const items = [labels.home, ...list(5, () => phrase(1)), labels.about, labels.contact]
  return `<nav${names}><ul>${items.map((item) => `<li><a href="/${item.length}">${item}</a></li>`).join('')}</ul></nav>`
}

const cookieNotice = ({ labels }: Writer, names = ''): string =>
  `<div${names}><p>${labels.cookies}</p><button>${labels.accept}</button></div>`

const teasers = ({ labels, phrase, day, random }: Writer, { time }: Story, names = ''): string =>
  `<div${names}><h3>${labels.related}</h3>${list(
    4,
    () =>
      `<div><a href="/other-${random(900)}"><h4>${phrase(6)}</h4></a><p>${phrase(12)}</p><span>${day(time - random(300) * 86_400_000)}</span> <a href="/x">${labels.more}</a></div>`,
  ).join('')}</div>`

const footer = ({ labels, phrase }: Writer, { site }: Story, names = ''): string =>
  `<div${names}><p>${list(5, () => `<a href="/f">${phrase(1)}</a>`).join(' ')}</p><p>© 2025 ${site}. ${labels.rights}</p></div>`

const shareLine = ({ labels }: Writer, names = ''): string =>
  `<div${names}><span>${labels.share}</span> <a href="#f">Facebook</a> <a href="#x">X</a> <a href="#w">WhatsApp</a></div>`

const signup = ({ labels, phrase }: Writer, names = ''): string =>
  `<div${names}><h3>${labels.newsletter}</h3><p>${phrase(9)}</p><input type="email"><button>${labels.subscribe}</button></div>`

function comments(writer: Writer, story: Story, names = ''): string {
  const one = (): string =>
    `<li><b>${writer.name()}</b> <span>${writer.day(story.time + writer.random(9) * 86_400_000)}</span><p>${writer.phrase(9)}</p><a href="#r">${writer.labels.reply}</a></li>`
  return `<div${names}><h3>${writer.labels.comments}</h3><ul>${list(3, one).join('')}</ul></div>`
}

const spaced = (label: string, value: string): string =>
  /[:：]$/.test(label) ? `${label} ${value}` : `${label} ${value}`

/** A blog with named classes: the author and the day in a line below the headline. */
const blog: Structure = (story, writer) => {
  const { title, paragraphs, headings } = story
  const { labels } = writer
  const half = Math.ceil(paragraphs.length / 2)
  const line = `<div class="entry-meta"><span class="posted-on">${spaced(labels.published, story.day)}</span> <span class="byline">${spaced(labels.by, story.author)}</span> <span>${3 + writer.random(9)} ${labels.minutes}</span></div>`
  const text = p(paragraphs.slice(0, half)) + `<h2>${headings[0]}</h2>` + p(paragraphs.slice(half))
  return {
    body: `<header class="site-header"><a href="/">${story.site}</a>${menu(writer, ' class="main-navigation"')}</header><div class="content-area"><main><article class="post"><header class="entry-header"><h1 class="entry-title">${title}</h1>${line}</header><div class="entry-content">${text}</div>${shareLine(writer, ' class="sharedaddy"')}</article>${comments(writer, story, ' class="comments-area"')}</main></div><aside class="widget-area">${signup(writer, ' class="widget"')}${teasers(writer, story, ' class="widget"')}</aside><footer>${footer(writer, story, ' class="site-info"')}</footer>${cookieNotice(writer, ' class="cookie-notice"')}`,
    content: [...paragraphs, headings[0]!],
  }
}

/** A newspaper with data for search engines, a picture with a credit, and teasers inside the text. */
const newspaper: Structure = (story, writer) => {
  const { title, paragraphs } = story
  const { labels, phrase, name } = writer
  const data = {
    '@type': 'NewsArticle',
    headline: title,
    datePublished: `${story.iso}T08:30:00Z`,
    author: { '@type': 'Person', name: story.author },
  }
  const lead = phrase(14)
  const caption = phrase(8)
  return {
    head: `<script type="application/ld+json">${JSON.stringify(data)}</script><meta property="og:site_name" content="${story.site}">`,
    body: `<div class="top">${menu(writer, ' class="nav"')}</div><div id="page"><div class="story"><h1>${title}</h1><p class="lead">${lead}</p><div class="info">${spaced(labels.by, story.author)} | ${story.day}</div><figure><img src="/a.jpg" alt=""><figcaption>${caption} <span class="credit">${labels.photo}: ${name()}</span></figcaption></figure>${p(paragraphs.slice(0, 2))}<div class="inline-teaser"><a href="/t">${labels.related}: ${phrase(7)}</a></div>${p(paragraphs.slice(2))}<div class="tags">${labels.tags}: <a href="/t1">${phrase(1)}</a> <a href="/t2">${phrase(1)}</a></div>${shareLine(writer, ' class="social"')}</div><div class="sidebar">${teasers(writer, story, ' class="most-read"')}</div></div>${signup(writer, ' class="newsletter"')}${footer(writer, story, ' class="footer"')}`,
    content: [lead, ...paragraphs],
  }
}

/** A page of a framework with generated class names, where only the words show what a block is. */
const hashed: Structure = (story, writer) => {
  const { labels } = writer
  const name = (): string => ` class="css-${(writer.random(1e6) + 1e6).toString(36)}"`
  return {
    body: `<div${name()}>${menu(writer, name())}</div><div${name()}><div${name()}><h1${name()}>${story.title}</h1><div${name()}><span${name()}>${spaced(labels.by, story.author)}</span><span${name()}>${story.day}</span></div>${p(story.paragraphs, name())}${shareLine(writer, name())}</div>${signup(writer, name())}${teasers(writer, story, name())}</div>${footer(writer, story, name())}${cookieNotice(writer, name())}`,
    content: story.paragraphs,
  }
}

/** A page of an old site: tables, bare text, and a line for the update after that for the publication. */
const old: Structure = (story, writer) => {
  const { labels, phrase } = writer
  const links = list(6, () => `<a href="/o">${phrase(1)}</a><br>`).join('')
  return {
    body: `<table width="100%"><tr><td colspan="2"><b>${story.site}</b></td></tr><tr><td width="20%">${links}</td><td><h1>${story.title}</h1><i>${spaced(labels.by, story.author)}</i><br>${spaced(labels.published, story.day)}<br>${spaced(labels.updated, story.updated)}<br><br>${story.paragraphs.map((text) => `${text}<br><br>`).join('')}</td></tr><tr><td colspan="2"><font size="1">© 2025 ${story.site}. ${labels.rights}</font></td></tr></table>`,
    content: story.paragraphs,
  }
}

/** A thread of a forum: the first post has the author and the day. */
const forum: Structure = (story, writer) => {
  const { labels, name, day } = writer
  const post = (author: string, time: number, text: string): string =>
    `<div class="post"><div class="post-header"><a class="username" href="/members/${writer.random(99)}">${author}</a> <time datetime="${new Date(time).toISOString()}">${day(time)}</time></div><div class="post-body"><p>${text}</p></div><a href="#reply">${labels.reply}</a></div>`
  const texts = story.paragraphs.slice(0, 6)
  const posts = texts.map((text, index) =>
    index === 0 ? post(story.author, story.time, text) : post(name(), story.time + index * 86_400_000, text),
  )
  return {
    body: `<div class="header">${menu(writer, ' class="nav"')}<a href="/login">${labels.login}</a></div><div class="breadcrumb"><a href="/">${labels.home}</a> › <a href="/b">${writer.phrase(2)}</a></div><h1>${story.title}</h1><div class="thread">${posts.join('')}</div>${footer(writer, story, ' class="footer"')}`,
    content: texts,
    path: '/threads/topic',
  }
}

/** A page of documentation between two lists of links. */
const documentation: Structure = (story, writer) => {
  const { labels, phrase } = writer
  const links = list(14, () => `<li><a href="/docs/${writer.random(99)}">${phrase(2)}</a></li>`).join('')
  const sections = story.headings.map((heading, index) => {
    const texts = story.paragraphs.slice(index * 2, index * 2 + 2)
    return {
      html: `<h2 id="s${index}">${heading}</h2>${p(texts)}<pre><code>const value${index} = ${index}</code></pre>`,
      texts: [heading, ...texts],
    }
  })
  const toc = story.headings.map((heading, index) => `<li><a href="#s${index}">${heading}</a></li>`).join('')
  return {
    body: `<header>${menu(writer)}<input type="search" placeholder="${labels.search}"></header><div class="layout"><nav class="sidebar"><ul>${links}</ul></nav><main><h1>${story.title}</h1>${sections.map(({ html }) => html).join('')}<a href="/docs/next">${labels.next}</a></main><aside class="toc"><ul>${toc}</ul></aside></div>${footer(writer, story, ' class="footer"')}`,
    content: [
      ...sections.flatMap(({ texts }) => texts),
      ...story.headings.map((_, index) => `const value${index} = ${index}`),
    ],
    path: '/docs/topic',
    hasFacts: false,
  }
}

/** A product: description, features and offers of others. */
const product: Structure = (story, writer) => {
  const { labels, phrase } = writer
  const texts = story.paragraphs.slice(0, 3)
  const features = list(5, () => phrase(5))
  const others = list(
    6,
    () =>
      `<div class="card"><a href="/p/${writer.random(99)}">${phrase(3)}</a><span>€ ${9 + writer.random(90)}</span><button>${labels.cart}</button></div>`,
  )
  return {
    body: `<header>${menu(writer)}</header><main><div class="product"><h1>${story.title}</h1><span class="price">€ ${9 + writer.random(90)}</span><button>${labels.cart}</button><div class="description">${p(texts)}<ul>${features.map((text) => `<li>${text}</li>`).join('')}</ul></div></div><section class="related"><h2>${labels.related}</h2>${others.join('')}</section></main>${signup(writer, ' class="newsletter"')}<footer>${footer(writer, story)}</footer>`,
    content: [...texts, ...features],
    path: '/products/thing',
    hasFacts: false,
  }
}

/** A page of a company: sections with headings, calls to action, and questions. */
const service: Structure = (story, writer) => {
  const { labels, phrase } = writer
  const sections = story.headings.map((heading, index) => ({ heading, text: story.paragraphs[index]! }))
  const questions = list(2, (index) => ({ heading: phrase(6), text: story.paragraphs[index + 3]! }))
  const html = (parts: typeof sections): string =>
    parts.map(({ heading, text }) => `<section class="section"><h2>${heading}</h2><p>${text}</p></section>`).join('')
  return {
    body: `<header>${menu(writer)}<a class="btn" href="/contact">${labels.contact}</a></header><main><section class="hero"><h1>${story.title}</h1></section>${html(sections)}<a class="btn" href="/contact">${labels.contact}</a>${html(questions)}</main><footer>${footer(writer, story)}</footer>${cookieNotice(writer, ' id="cookies"')}`,
    content: [...sections, ...questions].flatMap(({ heading, text }) => [heading, text]),
    path: '/services/one',
    hasFacts: false,
  }
}

export const structures: Readonly<Record<string, Structure>> = {
  blog,
  newspaper,
  hashed,
  old,
  forum,
  documentation,
  product,
  service,
}

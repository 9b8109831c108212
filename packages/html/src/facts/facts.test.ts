import { describe, expect, test } from 'vitest'
import { findBase } from '../addresses/urls.ts'
import { parseHtml } from '../parse/parse.ts'
import { elementsOf } from '../tree/walk.ts'
import { readSourcedFacts, type SourcedFacts } from './facts.ts'

function read(html: string, url = 'https://site.test/a'): SourcedFacts {
  const { root } = parseHtml(html)
  const elements = elementsOf(root)
  return readSourcedFacts(elements, findBase(elements, url))
}

const ld = (thing: object): string => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`
const meta = (name: string, content: string): string => `<meta property="${name}" content="${content}">`

describe('the headline', () => {
  test.each([
    ['<title>Rain falls - The Site</title><meta property="og:site_name" content="The Site">', 'Rain falls'],
    ['<title>Rain falls | Weather | site.test</title><h1>Rain falls</h1>', 'Rain falls'],
    [`<title>SEO words</title>${ld({ '@type': 'NewsArticle', headline: 'Rain falls' })}`, 'Rain falls'],
  ])('of %s is %s', (html, headline) => {
    expect(read(html).values['headline']).toBe(headline)
  })
})

describe('the author', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'a node that a graph names',
      ld({
        '@graph': [
          { '@type': 'Article', headline: 'H', author: { '@id': '#p' } },
          { '@type': 'Person', '@id': '#p', name: 'Ann Lee' },
        ],
      }),
      ['Ann Lee'],
    ],
    [
      'several of JSON-LD',
      ld({ '@type': 'Article', headline: 'H', author: [{ name: 'Ann Lee' }, 'Bob Ray'] }),
      ['Ann Lee', 'Bob Ray'],
    ],
    [
      'microdata',
      '<div itemscope itemtype="https://schema.org/Article"><span itemprop="author" itemscope><b itemprop="name">Ann Lee</b></span></div>',
      ['Ann Lee'],
    ],
    ['a meta element', '<meta name="author" content="By ANN LEE">', ['Ann Lee']],
    [
      'a catalogue',
      '<meta name="citation_author" content="Lee, Ann"><meta name="citation_author" content="Ray, Bob">',
      ['Ann Lee', 'Bob Ray'],
    ],
    [
      'a label of a card',
      '<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Ann Lee">',
      ['Ann Lee'],
    ],
    ['the line under the headline', '<h1>Rain</h1><p class="byline">By Ann Lee</p><p>It rained.</p>', ['Ann Lee']],
    [
      'the line if the data names a role',
      `<meta name="author" content="admin"><h1>Rain</h1><p class="byline">By Ann Lee</p>`,
      ['Ann Lee'],
    ],
    [
      'the person beside an agency',
      ld({ '@type': 'Article', headline: 'H', author: ['Ann Lee', 'The Associated Press'] }),
      ['Ann Lee'],
    ],
    [
      'the agency if it is alone',
      ld({ '@type': 'Article', headline: 'H', author: 'Associated Press' }),
      ['Associated Press'],
    ],
  ])('is %s', (_, html, authors) => {
    expect(read(html).values['author']).toEqual(authors)
  })

  test.each([
    '<p><span>By</span> <b>Ann Lee</b></p>',
    '<p><span>By:</span> <b>Ann Lee</b></p>',
    '<p>Written <i>by</i> <b>Ann Lee</b></p>',
    '<app-author>Ann Lee</app-author>',
    '<app-author label="x">Ann Lee</app-author>',
  ])('is the name in %s after the heading', (line) => {
    expect(read(`<h1>Rain falls</h1>${line}`).values['author']).toEqual(['Ann Lee'])
  })

  test.each<[string, string]>([
    [
      'the site itself',
      `${meta('og:site_name', 'Daily Rain')}${ld({ '@type': 'Article', headline: 'H', author: { '@type': 'Organization', name: 'Daily Rain' } })}`,
    ],
    ['a profile', '<meta property="article:author" content="https://www.facebook.com/dailyrain">'],
    [
      'the photographer',
      '<article itemscope itemtype="https://schema.org/Article"><figure><figcaption itemprop="author">Cy Fox</figcaption></figure></article>',
    ],
    [
      'the author of a comment',
      ld({ '@type': 'Article', headline: 'H', comment: { '@type': 'Comment', author: { name: 'Ann Lee' } } }),
    ],
  ])('is never %s', (_, html) => {
    expect(read(html).values['author']).toBeUndefined()
  })

  test.each([
    ['de', 'Von Anna Lindt', 'Anna Lindt'],
    ['fr', 'Par Élodie Petit', 'Élodie Petit'],
    ['es', 'Escrito por José Núñez', 'José Núñez'],
    ['it', 'Di Anna Rossi', 'Anna Rossi'],
    ['nl', 'Geschreven door Jan Smit', 'Jan Smit'],
    ['sv', 'Av Åsa Berg', 'Åsa Berg'],
    ['fi', 'Teksti: Aino Virta', 'Aino Virta'],
    ['cs', 'Autor: Jana Nová', 'Jana Nová'],
    ['hu', 'Szerző: Kovács Anna', 'Kovács Anna'],
    ['ru', 'Автор: Иван Петров', 'Иван Петров'],
    ['el', 'Συντάκτης: Άννα Παππά', 'Άννα Παππά'],
    ['tr', 'Yazan: Ayşe Kaya', 'Ayşe Kaya'],
    ['id', 'Oleh Budi Santoso', 'Budi Santoso'],
    ['vi', 'Tác giả: Nguyễn Văn An', 'Nguyễn Văn An'],
    ['ar', 'بقلم: أحمد علي', 'أحمد علي'],
    ['fa', 'نویسنده: رضا کریمی', 'رضا کریمی'],
    ['he', 'מאת: דנה לוי', 'דנה לוי'],
    ['hi', 'लेखक: राम शर्मा', 'राम शर्मा'],
    ['th', 'ผู้เขียน: สมชาย ใจดี', 'สมชาย ใจดี'],
    ['ja', '著者：山田太郎', '山田太郎'],
    ['ko', '작성자: 홍길동', '홍길동'],
    ['zh', '作者：王小明', '王小明'],
  ])('is read in %s from "%s"', (language, line, author) => {
    expect(read(`<html lang="${language}"><h1>Rain</h1><p>${line}</p>`).values['author']).toEqual([author])
  })

  test.each([
    ['de', 'Jürgen Weiß Montag, 3. August 2020', 'Jürgen Weiß'],
    ['th', 'มาลี บุญมา วันจันทร์ที่ 3 สิงหาคม 2563', 'มาลี บุญมา'],
    ['es', 'Plácido Domingo 3 de agosto de 2020', 'Plácido Domingo'],
  ])('ends before the weekday of a date in %s: %s', (language, line, author) => {
    expect(read(`<html lang="${language}"><h1>Rain</h1><p class="byline">${line}</p>`).values['author']).toEqual([
      author,
    ])
  })

  test.each([
    ['en', 'Text Neck Syndrome'],
    ['en', 'Da Vinci Museum'],
    ['es', 'Di Maria Returns'],
    ['en', 'Von Miller Returns'],
  ])('is not in a line that starts with a word of another language: in %s "%s"', (language, line) => {
    expect(read(`<html lang="${language}"><h1>Rain</h1><p>${line}</p>`).values).not.toHaveProperty('author')
  })

  test('is not the photographer below a picture', () => {
    const caption = '<span>The river in the village after the long rain of May.</span>'
    const html = `<h1>Rain</h1><div><img src="a.jpg"><div>${caption}<span>By <a href="/writer/1">Cy Fox</a></span></div></div>`
    const line = '<div><span>By <a href="/writer/2">Ann Lee</a></span></div>'
    expect(read(html + line).values['author']).toEqual(['Ann Lee'])
  })

  test('may have the name of a site if it is a person', () => {
    expect(read('<meta name="author" content="Ann Lee">', 'https://annlee.test/a').values['author']).toEqual([
      'Ann Lee',
    ])
  })
})

describe('the times', () => {
  test.each<[string, string, string]>([
    [
      'JSON-LD',
      ld({ '@type': 'Article', headline: 'H', datePublished: '2024-05-03T10:00:00+02:00' }),
      '2024-05-03T10:00:00+02:00',
    ],
    ['a meta element', '<meta name="parsely-pub-date" content="2024-05-03T10:00:00Z">', '2024-05-03T10:00:00Z'],
    ['a day in words', '<meta name="date" content="Fri, 3 May 2024 10:00:00 GMT">', '2024-05-03'],
    ['seconds', '<meta name="pubdate" content="1714730400">', '2024-05-03T10:00:00.000Z'],
    ['digits in the order of the language', '<html lang="de"><meta name="date" content="03.05.2024">', '2024-05-03'],
    ['the other order', '<html lang="en-US"><meta name="date" content="05/03/2024">', '2024-05-03'],
    [
      'the order of another tag for the same language',
      `<html lang="en">${meta('og:locale', 'en_GB')}<meta name="date" content="03/05/2024">`,
      '2024-05-03',
    ],
    [
      'the line under the headline',
      '<html lang="fr"><h1>Pluie</h1><p class="date">Publié le 3 mai 2024</p>',
      '2024-05-03',
    ],
    ['the URL', '<h1>Rain</h1>', '2024-05-03'],
  ])('are read from %s', (source, html, time) => {
    expect(
      read(html, source === 'the URL' ? 'https://site.test/2024/05/03/rain' : undefined).values['publishedTime'],
    ).toBe(time)
  })

  test.each([
    '<h1>Rain</h1><footer>© 2024</footer>',
    '<h1>Rain</h1><p>In the village of the hill they still remember the flood of 3 May 1951, which took the bridge, the mill and most of the houses along the river.</p>',
    '<html lang="en"><meta name="date" content="05/03/2024">',
    '<meta property="article:modified_time" content="2024-05-03">',
    '<meta name="date" content="1970-01-01T00:00:00Z">',
  ])('are not guessed: %s', (html) => {
    expect(read(html).values['publishedTime']).toBeUndefined()
  })

  test('are read in the order of the country of an English page', () => {
    const html = '<html lang="en"><meta name="date" content="03/05/2024">'
    expect(read(html, 'https://site.co.uk/a').values['publishedTime']).toBe('2024-05-03')
  })

  test('have no order if the region of an English page contradicts its country', () => {
    const html = `<html lang="en">${meta('og:locale', 'en_US')}<meta name="date" content="05/06/2024">`
    expect(read(html, 'https://site.co.uk/a').values['publishedTime']).toBeUndefined()
    expect(read(html.replace('en_US', 'en_GB'), 'https://site.ie/a').values['publishedTime']).toBe('2024-06-05')
  })

  test.each([
    ['th', '2567-05-31T10:00:00+07:00', '2024-05-31T10:00:00+07:00'],
    ['fa', '1403-03-11', '2024-05-31'],
    ['fa', '1403-03-11 10:00', '2024-05-31T10:00'],
    ['fa', '1403/03/11', '2024-05-31'],
    ['fa', '2024-05-31T10:00:00Z', '2024-05-31T10:00:00Z'],
    ['en', '2567-05-31T10:00:00Z', undefined],
    ['en', '31 May 2567', undefined],
  ])('are in our calendar: in %s %s is %s', (language, written, time) => {
    expect(read(`<html lang="${language}"><meta name="date" content="${written}">`).values['publishedTime']).toBe(time)
  })

  test('are not after next year, also in a line', () => {
    expect(read('<html lang="en"><h1>Rain</h1><p class="date">3 May 2567</p>').values).not.toHaveProperty(
      'publishedTime',
    )
  })

  test('have the months of the language of the page', () => {
    const dayOf = (language: string): unknown =>
      read(`<html lang="${language}"><h1>Kiša</h1><p class="date">15. listopada 2024.</p>`).values['publishedTime']
    expect(['hr', 'pl', 'de'].map(dayOf)).toEqual(['2024-10-15', '2024-11-15', undefined])
  })

  test('tell the change from the publication', () => {
    const html = ld({ '@type': 'Article', headline: 'H', datePublished: '2024-05-03', dateModified: '2024-06-01' })
    expect(read(html).values).toMatchObject({ publishedTime: '2024-05-03', modifiedTime: '2024-06-01' })
  })
})

describe('the day that the page shows', () => {
  const marked = (published: string, modified = published): string =>
    ld({ '@type': 'Article', headline: 'Rain', datePublished: published, dateModified: modified })

  test.each<[string, string, string]>([
    ['is used instead of another marked day', '<p class="date">May 3, 2024</p>', '2024-05-03'],
    ['is used if only its element is named so', '<p><time class="published">May 3, 2024</time></p>', '2024-05-03'],
    ['confirms the marked time', '<p class="date">May 9, 2024</p>', '2024-05-09T10:00:00Z'],
    ['is not that of a change', '<p class="date">Updated <time>May 12, 2024</time></p>', '2024-05-09T10:00:00Z'],
    ['is not that of an event in the text', '<p>It rained on May 3, 2024.</p>', '2024-05-09T10:00:00Z'],
    [
      'is not the marked day of the change, even if its element is named for both',
      `${meta('article:published_time', '2024-05-09T10:00:00Z')}<p><time class="published updated">May 20, 2024</time></p>`,
      '2024-05-09T10:00:00Z',
    ],
    [
      'is not the marked day of the change if the Open Graph tags have the publication',
      `${meta('article:published_time', '2024-05-09T10:00:00Z')}<p class="date">May 20, 2024</p>`,
      '2024-05-09T10:00:00Z',
    ],
    ['is that of the change if only structured data has another', '<p class="date">May 20, 2024</p>', '2024-05-20'],
    ['is not that of a change with a label', '<p class="date">Last updated: May 20, 2024</p>', '2024-05-09T10:00:00Z'],
    [
      'is not that of a related story',
      `${'<i></i>'.repeat(50)}<div class="related"><time>May 3, 2024</time></div>`,
      '2024-05-09T10:00:00Z',
    ],
  ])('%s', (_, line, time) => {
    const html = `<h1>Rain</h1>${line}${marked('2024-05-09T10:00:00Z', '2024-05-20T10:00:00Z')}`
    expect(read(html).values['publishedTime']).toBe(time)
  })

  test('is used if the markup has a change before the publication', () => {
    const html = `<h1>Rain</h1><p>May 3, 2024</p>${marked('2024-05-09T10:00:00Z', '2024-05-07T10:00:00Z')}`
    expect(read(html).values['publishedTime']).toBe('2024-05-03')
  })

  test('may be the marked time in UTC', () => {
    const html = `<h1>Rain</h1><p>By Ann Lee for the paper: May 10, 2024</p>${marked('2024-05-09T22:00-05:00')}`
    expect(read(html).values['publishedTime']).toBe('2024-05-10')
  })

  test('in digits is read in the order that agrees with another date of the page', () => {
    const page = (other: string): SourcedFacts =>
      read(`<html lang="en"><h1>Rain</h1><p class="date">02-12-2024</p>${meta('built', other)}`)
    expect(page('2024-12-02').values['publishedTime']).toBe('2024-12-02')
    expect(page('2024-02-12').values['publishedTime']).toBe('2024-02-12')
    expect(page('2024-10-10').values).not.toHaveProperty('publishedTime')
  })

  test('may be a text between other elements of a large one', () => {
    const text = '<p>It rained and rained and rained.</p>'.repeat(20)
    expect(read(`<div><h1>Rain</h1> 3 May 2024 ${text}</div>`).values['publishedTime']).toBe('2024-05-03')
  })

  test('is beside the title if no element is a heading', () => {
    const title = 'The rain has come back to town'
    const html = `<title>${title} - The Site</title>${'<i></i>'.repeat(60)}<b>${title}</b><p>3 May 2024</p>`
    expect(read(html).values['publishedTime']).toBe('2024-05-03')
  })

  test.each(['Release date: May 3, 2024', '<b>Member since</b> May 3, 2024', '© May 3, 2024', '発売日：2024年5月3日'])(
    'is not %s',
    (line) => {
      expect(read(`<h1>Rain</h1><p class="date">${line}</p>`).values).not.toHaveProperty('publishedTime')
    },
  )

  test('for a change is the modified time if no markup has one', () => {
    const { values } = read(
      '<h1>Rain</h1><p class="date">Published May 3, 2024</p><p>Last updated: <time>May 9, 2024</time></p>',
    )
    expect(values).toMatchObject({ publishedTime: '2024-05-03', modifiedTime: '2024-05-09' })
  })

  test('is above the headline if the time to read the text is beside it', () => {
    const above = (line: string): SourcedFacts => read(`<p>${line}</p><h1>Rain</h1><p>It rained.</p>`)
    expect(above('May 3, 2024 - 11 minutes').values['publishedTime']).toBe('2024-05-03')
    expect(above('May 3, 2024 - 11 lessons').values).not.toHaveProperty('publishedTime')
  })

  test('is that of the publication after the name of a reviewer', () => {
    const html = '<h1>Rain</h1><div><p>Reviewed by Ann Lee</p><p class="date">May 3, 2024</p></div>'
    expect(read(html).values).toMatchObject({ publishedTime: '2024-05-03' })
    expect(read(html).values).not.toHaveProperty('modifiedTime')
  })

  test('may be below the text if words mark it as that of the publication', () => {
    const text = '<p>It rained.</p>'.repeat(150)
    expect(read(`<h1>Rain</h1>${text}<p class="meta">Published: May 3, 2024</p>`).values['publishedTime']).toBe(
      '2024-05-03',
    )
    expect(read(`<h1>Rain</h1>${text}<p>May 3, 2024</p>`).values['publishedTime']).toBeUndefined()
  })

  test('is beside the heading of the page, not beside the name of the site', () => {
    const text = '<i></i>'.repeat(100)
    const html = `<title>Rain | The Site</title><meta property="og:site_name" content="The Site"><h1>The Site</h1>${text}<h2>Rain</h2><p class="date">May 3, 2024</p>`
    expect(read(html).values['publishedTime']).toBe('2024-05-03')
  })

  test.each([
    ['de', 'Veröffentlicht am 31. Mai 2024', 'Aktualisiert am 31. Mai 2024'],
    ['fr', 'Publié le 31 mai 2024', 'Mis à jour le 31 mai 2024'],
    ['es', 'Publicado el 31 de mayo de 2024', 'Actualizado el 31 de mayo de 2024'],
    ['pt', 'Publicado em 31 de maio de 2024', 'Atualizado em 31/05/2024'],
    ['it', 'Pubblicato il 31 maggio 2024', 'Aggiornato il 31 maggio 2024'],
    ['nl', 'Gepubliceerd op 31 mei 2024', 'Bijgewerkt op 31 mei 2024'],
    ['pl', 'Opublikowano 31 maja 2024', 'Zaktualizowano 31 maja 2024'],
    ['cs', 'Publikováno 31. května 2024', 'Aktualizováno 31. května 2024'],
    ['ru', 'Опубликовано 31 мая 2024 г.', 'Обновлено 31 мая 2024 г.'],
    ['uk', 'Опубліковано 31 травня 2024', 'Оновлено 31 травня 2024'],
    ['tr', 'Yayınlanma: 31 Mayıs 2024', 'Güncelleme: 31 Mayıs 2024'],
    ['id', 'Diterbitkan 31 Mei 2024', 'Diperbarui 31 Mei 2024'],
    ['vi', 'Ngày đăng: 31 tháng 5, 2024', 'Cập nhật: 31/05/2024'],
    ['sv', 'Publicerad 31 maj 2024', 'Uppdaterad 31 maj 2024'],
    ['da', 'Udgivet 31. maj 2024', 'Opdateret 31. maj 2024'],
    ['fi', 'Julkaistu 31. toukokuuta 2024', 'Päivitetty 31.5.2024'],
    ['hu', 'Megjelent: 2024. május 31.', 'Frissítve: 2024. május 31.'],
    ['ro', 'Publicat pe 31 mai 2024', 'Actualizat pe 31 mai 2024'],
    ['el', 'Δημοσίευση: 31 Μαΐου 2024', 'Ενημέρωση: 31 Μαΐου 2024'],
    ['ar', 'نشر في ٣١ مايو ٢٠٢٤', 'تحديث ٣١ مايو ٢٠٢٤'],
    ['ja', '公開日：2024年5月31日', '更新日：2024年5月31日'],
    ['ko', '입력 2024년 5월 31일', '수정 2024.05.31'],
    ['zh', '发布时间：2024年5月31日', '更新时间：2024-05-31'],
    ['zh-TW', '發布時間：民國113年5月31日', '更新時間：2024-05-31'],
    ['fa', 'منتشر شده در ۱۱ خرداد ۱۴۰۳', 'به‌روزرسانی: ۱۱ خرداد ۱۴۰۳'],
    ['ar-SA', 'نشر في ٢٣ ذو القعدة ١٤٤٥ هـ', 'آخر تحديث 31 أيار 2024'],
    ['he', 'פורסם ב-31 במאי 2024', 'עודכן: 31.05.2024'],
    ['th', 'เผยแพร่ 31 พฤษภาคม 2567', 'อัปเดต 31 พ.ค. 2567'],
    ['hi', 'प्रकाशित: 31 मई 2024', 'अपडेट: ३१ मई २०२४'],
    ['bg', 'Публикувано на 31 май 2024 г.', 'Обновено на 31 май 2024 г.'],
    ['ja', '公開日 令和6年5月31日', '更新日 2024.05.31'],
  ])('is read in %s, with its label', (language, published, changed) => {
    const page = (line: string): SourcedFacts =>
      read(`<html lang="${language}"><h1>Regn</h1><p class="date">${line}</p>`)
    expect(page(published).values).toMatchObject({ publishedTime: '2024-05-31' })
    expect(page(changed).values).toMatchObject({ modifiedTime: '2024-05-31' })
    expect(page(changed).values).not.toHaveProperty('publishedTime')
  })
})

test('each fact has its source', () => {
  const html = `<html lang="en"><h1>Rain</h1>${ld({ '@type': 'Article', headline: 'Rain', author: [{ name: 'Ann Lee' }] })}<p class="date">May 3, 2024</p>`
  expect(read(html).evidence).toMatchObject({
    headline: { method: 'element', selector: 'html > body > h1', quote: 'Rain' },
    author: [{ method: 'json-ld', pointer: '/author/0/name', quote: 'Ann Lee' }],
    publishedTime: { method: 'seen', confidence: expect.any(Number) },
    language: { method: 'element', quote: 'en' },
  })
})

// A search that is not linear takes minutes.
test('a day with a million letters is none', () => {
  const time = `<time datetime="2024 ${'a'.repeat(1_000_000)}">now</time>`
  expect(read(`<title>T</title><h1>T</h1><p class="date">${time}</p>`).values).not.toHaveProperty('publishedTime')
})

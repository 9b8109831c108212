// Pages of known text, drawn by Chromium.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A page to draw. */
export interface BenchPage {
  readonly name: string
  readonly language: string
  readonly look: string
  readonly text: string
  readonly html: string
}

const languages: Readonly<
  Record<string, { readonly font: string; readonly dir?: 'rtl'; readonly sentences: readonly string[] }>
> = {
  eng: {
    font: 'DejaVu Serif',
    sentences: [
      'The harbour was rebuilt in 1874, after a storm had taken the old pier.',
      'Each member pays a fee of 12.50 a year, and may bring two guests.',
      'Grain, wool and timber were the goods that left the town by ship.',
      'A new bridge of iron replaced the ferry, which had run for ninety years.',
      'The council met every Tuesday; its minutes are kept in the town hall.',
    ],
  },
  deu: {
    font: 'Liberation Sans',
    sentences: [
      'Die Gäste kamen früh, denn die Straße war für Fuhrwerke gesperrt.',
      'Der Preis für ein Kilogramm Äpfel stieg um 4,5 Prozent auf 1,80 Euro.',
      'Über dem Fluß liegt eine Brücke aus Stein, die älter ist als die Stadt.',
      'Im Jahr 1912 wurde das Gebäude verkauft und später mehrfach umgebaut.',
      'Wer eine größere Menge bestellt, erhält einen Nachlass von zehn Prozent.',
    ],
  },
  ell: {
    font: 'DejaVu Sans',
    sentences: [
      'Το λιμάνι της πόλης χτίστηκε πριν από πολλά χρόνια.',
      'Η τιμή του ψωμιού αυξήθηκε κατά πέντε τοις εκατό.',
      'Οι κάτοικοι περίμεναν το πλοίο από το πρωί μέχρι το βράδυ.',
      'Το βιβλίο έχει διακόσιες σελίδες και πολλές εικόνες.',
    ],
  },
  ara: {
    font: 'DejaVu Sans',
    dir: 'rtl',
    sentences: [
      'بنيت المدينة القديمة على ضفة النهر قبل مئات السنين.',
      'ارتفعت أسعار القمح في الأسواق خلال هذا العام.',
      'وصل القطار إلى المحطة في وقت متأخر من الليل.',
      'يقرأ الطلاب الكتب في المكتبة كل صباح.',
    ],
  },
  heb: {
    font: 'DejaVu Sans',
    dir: 'rtl',
    sentences: [
      'העיר העתיקה נבנתה על גדת הנהר לפני שנים רבות.',
      'מחיר הלחם עלה השנה בכל החנויות.',
      'הרכבת הגיעה לתחנה מאוחר בלילה.',
      'התלמידים קוראים ספרים בספרייה בכל בוקר.',
    ],
  },
  rus: {
    font: 'DejaVu Serif',
    sentences: [
      'Гавань была построена заново после сильной бури в 1874 году.',
      'Цена хлеба выросла за год на пять процентов.',
      'Жители ждали парохода с утра до позднего вечера.',
      'Новый мост из железа заменил паром через реку.',
      'Совет собирался каждый вторник в здании ратуши.',
    ],
  },
  hin: {
    font: 'Noto Sans Devanagari',
    sentences: [
      'नगर का पुराना पुल नदी के ऊपर बना हुआ है।',
      'इस वर्ष गेहूँ का मूल्य पाँच प्रतिशत बढ़ गया।',
      'विद्यार्थी हर सुबह पुस्तकालय में किताबें पढ़ते हैं।',
      'रेलगाड़ी रात को देर से स्टेशन पर पहुँची।',
    ],
  },
  jpn: {
    font: 'Noto Sans CJK JP',
    sentences: [
      '港は百年前に新しく作られました。',
      '今年は小麦の値段が上がりました。',
      '学生は毎朝図書館で本を読みます。',
      '古い橋は川の上に残っています。',
    ],
  },
}

const body = (font: string, size: number, extra = '') =>
  `body{margin:0;background:#fff;width:1240px}main{padding:90px;font:${size}px/1.5 '${font}';${extra}}p{margin:0 0 ${size}px}`

// Looks of a page: its style, and the number of sentences in each of its paragraphs.
const looks: Readonly<Record<string, (font: string) => string>> = {
  print: (font) => body(font, 28),
  small: (font) => body(font, 16),
  noise: (font) => body(font, 28),
  turned: (font) => body(font, 28, 'transform:rotate(2deg);'),
  blur: (font) => body(font, 28, 'filter:blur(1.1px);'),
  columns: (font) => body(font, 24, 'columns:2;column-gap:70px;'),
  table: (font) => `${body(font, 24)}table{border-collapse:collapse;width:100%}td{border:2px solid #000;padding:12px}`,
}

const noise =
  '<svg style="position:fixed;inset:0" width="1240" height="1000"><filter id="n"><feTurbulence type="fractalNoise" baseFrequency=".8"/><feColorMatrix values="0 0 0 0 .4  0 0 0 0 .4  0 0 0 0 .4  1.6 0 0 0 -.65"/></filter><rect width="1240" height="1000" filter="url(#n)"/></svg>'

/** Returns the rows of a table: a sentence and a number in each. */
function rowsOf(sentences: readonly string[], round: number): readonly (readonly [string, string])[] {
  return Array.from({ length: 6 }, (_, row) => [
    sentences[(round + row) % sentences.length] ?? '',
    String(1_274 + 311 * ((round + row * 7) % 23)),
  ])
}

function tableHtml(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
  return `<table>${lines.join('')}</table>`
}

/** Returns pages of all languages and looks in turn. Their text is the same each time. */
export function benchPages(count: number, only: ReadonlySet<string>): BenchPage[] {
  const pairs = Object.entries(languages)
    .filter(([language]) => only.has(language))
    .flatMap(([language, one]) => Object.entries(looks).map(([look, style]) => ({ language, look, style, ...one })))
  return Array.from({ length: count }, (_, index): BenchPage => {
    const pair = pairs[index % pairs.length]
    if (!pair) throw new Error('There are no pages: no data of a language is in the folder.')
    const { language, look, style, font, dir = 'ltr', sentences } = pair
    const round = Math.floor(index / pairs.length)
    const paragraphs = [0, 1, 2, 3].map((paragraph) =>
      [0, 1, 2].map((at) => sentences[(round + paragraph * 2 + at * 3) % sentences.length]).join(' '),
    )
    const table = rowsOf(sentences, round)
    const content = look === 'table' ? tableHtml(table) : paragraphs.map((text) => `<p>${text}</p>`).join('')
    const text = look === 'table' ? table.flat().join('\n') : paragraphs.join('\n')
    const html = `<meta charset="utf-8"><style>${style(font)}</style><body dir="${dir}"><main>${content}</main>${look === 'noise' ? noise : ''}`
    return { name: `${index}-${language}-${look}`, language, look, text, html }
  })
}

/** Draws a page as PNG with the command `chromium`, and returns the path of the file. */
export function drawPage({ name, html }: BenchPage, folder: string): string {
  const [source, png] = [join(folder, `${name}.html`), join(folder, `${name}.png`)]
  writeFileSync(source, html)
  const options = ['--headless', '--no-sandbox', '--hide-scrollbars', '--window-size=1240,1000']
  execFileSync('chromium', [...options, `--screenshot=${png}`, pathToFileURL(source).href], { stdio: 'ignore' })
  return png
}

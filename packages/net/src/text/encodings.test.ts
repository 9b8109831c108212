// Lines as real pages of the time before UTF-8 have them, short and long, none of which says in what it is written.
import { expect, test } from 'vitest'

import { decodeText } from './decode.ts'
import { decoderFor } from './text-decoder.ts'

type Sample = readonly [label: string, language: string, text: string]

const western: readonly Sample[] = [
  ['windows-1252', 'en', 'Only £5 each, or £12.50 for three.'],
  ['windows-1252', 'en', '© 2004 Smith & Sons Ltd. All rights reserved.'],
  ['windows-1252', 'en', 'Copyright © 1999–2003. Widget® is a trademark of Acme™.'],
  ['windows-1252', 'en', 'Heat to 180°C (350°F) for 20 minutes, ±5 minutes.'],
  ['windows-1252', 'en', 'It’s “the best” café in town — honestly…'],
  ['windows-1252', 'en', 'Add ½ cup of milk and ¼ teaspoon of salt.'],
  ['windows-1252', 'en', 'See § 4 of the résumé; the naïve façade is 30 m² wide.'],
  ['windows-1252', 'en', 'Prices from ¥1,000 to €9.99 (VAT incl.)'],
  ['windows-1252', 'en', '« Previous | Next »'],
  ['windows-1252', 'en', 'Home » Products » Chairs · Contact'],
  ['windows-1252', 'es', '¿Qué es?'],
  ['windows-1252', 'es', '¡Hola! ¿Cómo estás? Mañana será otro día.'],
  ['windows-1252', 'es', 'El niño comió en la 2ª planta del nº 5, según su señoría.'],
  ['windows-1252', 'es', 'Año nuevo'],
  ['windows-1252', 'es', '«La música», dijo, «es así»: 25 €'],
  ['windows-1252', 'de', 'Grüße'],
  ['windows-1252', 'de', '© Müller GmbH, Straße 5, 50667 Köln – Impressum'],
  ['windows-1252', 'de', 'Für 19,90 € inkl. MwSt. erhältlich; Öffnungszeiten: täglich ab 8 Uhr, Ärzte ±0'],
  ['windows-1252', 'de', '„Schön“, sagte sie, „daß Äpfel größer sind.“'],
  ['windows-1252', 'de', 'Windows® 98 für Einsteiger, § 5 Abs. 2, 20 °C'],
  ['windows-1252', 'fr', 'L’été à la plage : où êtes-vous ?'],
  ['windows-1252', 'fr', 'Ça va très bien, merci. Le garçon a reçu « Noël » à 20 h.'],
  ['windows-1252', 'fr', 'Société générale de l’élevage, n° 12, 1er arrondissement, coût : 30 €'],
  ['windows-1252', 'pt', 'Não há informações sobre a região, mas três pães são bons.'],
  ['windows-1252', 'pt', 'Ação, coração e licitações'],
  ['windows-1252', 'it', 'Perché la città è così bella? Più di mille caffè.'],
  ['windows-1252', 'nl', 'Eén idee: coördinatie van financiële zaken'],
  ['windows-1252', 'sv', 'På ön växer många träd och blåbär'],
  ['windows-1252', 'da', 'Rødgrød med fløde på Ærø'],
  ['windows-1252', 'no', 'Været på fjellet blir kjølig; kjør forsiktig på veien nå'],
  ['windows-1252', 'fi', 'Hyvää päivää, tämä on hyvä sää'],
  ['windows-1252', 'ca', 'L’aigua és freda; això és una qüestió d’intel·ligència i cançons'],
  ['windows-1252', 'is', 'Góðan daginn, það er gott veður á Íslandi og ég er ánægð'],
]

const central: readonly Sample[] = [
  ['windows-1250', 'pl', 'Zażółć gęślą jaźń'],
  ['windows-1250', 'pl', 'Książka kosztuje 25 zł; żeby ją kupić, wyślij e-mail.'],
  ['windows-1250', 'pl', 'Strona główna – Wszelkie prawa zastrzeżone © 2003'],
  ['iso-8859-2', 'pl', 'Wydział Fizyki, ćwiczenia są w środę o ósmej; źródła i łącza.'],
  ['iso-8859-2', 'pl', 'Łódź jest piękna, śnieg leży już tydzień'],
  ['windows-1250', 'cs', 'Příliš žluťoučký kůň úpěl ďábelské ódy.'],
  ['windows-1250', 'cs', 'Vítejte na našich stránkách, děkujeme za návštěvu.'],
  ['iso-8859-2', 'cs', 'Město Třebíč se nachází v jižní části kraje, řeka Jihlava je nedaleko.'],
  ['windows-1250', 'sk', 'Ľudia majú radi dobré jedlo a čerstvý vzduch, ktorý je všade.'],
  ['windows-1250', 'hu', 'Az idő szép, a főváros körül erdő és mező van, és fű nő.'],
  ['iso-8859-2', 'hu', 'Szőlő, gyűjtemény és történet: köszönjük a figyelmet.'],
  ['windows-1250', 'hr', 'Naručite već danas; cijena uključuje poštarinu i još nešto više, čak i sreću.'],
  ['windows-1250', 'sl', 'Še več novic boste našli na naših straneh, če želite.'],
  ['iso-8859-2', 'ro', 'Această pagină conţine informaţii despre oraş şi împrejurimi.'],
]

const other: readonly Sample[] = [
  ['windows-1254', 'tr', 'Türkçe sayfalarımıza hoş geldiniz, başarılar dileğiyle.'],
  ['windows-1254', 'tr', 'İletişim: Sayın müşterimiz, lütfen aşağıdaki bağlantıyı kullanınız.'],
  ['windows-1257', 'lt', 'Sveiki atvykę į mūsų svetainę, čia rasite daug žinių apie Lietuvą.'],
  ['windows-1257', 'lv', 'Rīga ir galvaspilsēta; šeit dzīvo ļoti daudz cilvēku un ģimeņu.'],
  ['windows-1257', 'et', 'Tere tulemast, siin on väga ilus öö ja õhtu'],
  ['windows-1251', 'ru', 'Добро пожаловать на нашу страницу!'],
  ['windows-1251', 'ru', 'Новости © 2001–2004 «Газета». Цена 100 руб., скидка 5%.'],
  ['koi8-r', 'ru', 'Здравствуйте, это старая страница университета о физике.'],
  ['ibm866', 'ru', 'Это файл из старой программы, она написана давно.'],
  ['windows-1251', 'uk', 'Ласкаво просимо до нашої сторінки, тут є новини України.'],
  ['windows-1251', 'bg', 'Добре дошли на нашата страница за новини от България.'],
  ['windows-1251', 'sr', 'Добро дошли на нашу страницу, овде су вести из Србије.'],
  ['windows-1253', 'el', 'Καλώς ήρθατε στη σελίδα μας, εδώ θα βρείτε όλα τα νέα.'],
  ['windows-1253', 'el', 'Τιμή: 25 € με ΦΠΑ, δωρεάν αποστολή'],
  ['windows-1255', 'he', 'ברוכים הבאים לאתר שלנו, כאן תמצאו את כל החדשות'],
  ['windows-1256', 'ar', 'مرحبا بكم في موقعنا، هنا تجدون كل الأخبار الجديدة'],
  ['windows-874', 'th', 'ยินดีต้อนรับสู่เว็บไซต์ของเรา ที่นี่มีข่าวสารมากมาย'],
  ['shift_jis', 'ja', '当サイトへようこそ。最新のニュースをお届けします。'],
  ['euc-jp', 'ja', 'このページは古い文字コードで書かれています。'],
  ['euc-kr', 'ko', '저희 홈페이지에 오신 것을 환영합니다. 새로운 소식입니다.'],
  ['gb18030', 'zh', '欢迎访问我们的网站，这里有最新的新闻和消息。'],
  ['big5', 'zh', '歡迎光臨我們的網站，這裡有最新的新聞與消息。'],
]

const samples = [...western, ...central, ...other]

/** The bytes of a text: each character by what decodes to it. */
function encode(label: string, text: string): Uint8Array {
  const bytes: number[] = []
  for (const character of text) bytes.push(...(table(label).get(character) ?? []))
  return Uint8Array.from(bytes)
}

const tables = new Map<string, Map<string, readonly number[]>>()

function table(label: string): ReadonlyMap<string, readonly number[]> {
  const known = tables.get(label)
  if (known) return known
  const decoder = decoderFor(label)!
  const made = new Map<string, readonly number[]>()
  const add = (...bytes: readonly number[]): void => {
    const character = decoder.decode(Uint8Array.from(bytes))
    if (Array.from(character).length === 1 && character !== '\uFFFD' && !made.has(character)) made.set(character, bytes)
  }
  for (let byte = 0; byte < 256; byte += 1) add(byte)
  const lastLead = /^(?:shift_jis|euc-|gb|big5)/.test(label) ? 0xfe : 0
  for (let lead = 0x81; lead <= lastLead; lead += 1) for (let trail = 0x40; trail < 0xff; trail += 1) add(lead, trail)
  tables.set(label, made)
  return made
}

const joined = (head: string, bytes: Uint8Array): Uint8Array => Buffer.concat([Buffer.from(head, 'latin1'), bytes])
const read = (bytes: Uint8Array, type = 'text/html'): string => decodeText(bytes, type, { html: true }).text

test('the samples are many, and their bytes are what they say', () => {
  expect(samples.length).toBeGreaterThanOrEqual(60)
  for (const [label, , text] of samples) expect(decoderFor(label)!.decode(encode(label, text))).toBe(text)
})

test.each(samples)('%s, %s: %s', (label, language, text) => {
  const bytes = encode(label, text)
  const heads = ['<html><p class="x">', `<html lang="${language}"><p class="x">`]
  for (const head of heads) {
    expect(read(joined(head, bytes))).toBe(head + text)
    // A server that calls everything UTF-8.
    expect(read(joined(head, bytes), 'text/html; charset=utf-8')).toBe(head + text)
  }
  const long = joined('<html><p>', encode(label, `${text} `.repeat(40)))
  expect(read(long)).toBe(`<html><p>${`${text} `.repeat(40)}`)
})

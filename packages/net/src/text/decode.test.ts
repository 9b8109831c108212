import { describe, expect, test } from 'vitest'

import { decodeText } from './decode.ts'

const html = { html: true }
const plain = { html: false }

/** Sentences in the bytes that each encoding has for them. */
const samples: readonly (readonly [label: string, language: string, text: string, hex: string])[] = [
  [
    'windows-1250',
    'pl',
    'Zażółć gęślą jaźń. Pchnąć w tę łódź jeża lub ośm skrzyń fig.',
    '5a61bff3b3e62067ea9c6cb9206a619ff12e205063686eb9e620772074ea20b3f3649f206a65bf61206c7562206f9c6d20736b727a79f1206669672e',
  ],
  [
    'windows-1251',
    'ru',
    'Съешь же ещё этих мягких французских булок, да выпей чаю.',
    'd1fae5f8fc20e6e520e5f9b820fdf2e8f520ecffe3eae8f520f4f0e0edf6f3e7f1eae8f520e1f3ebeeea2c20e4e020e2fbefe5e920f7e0fe2e',
  ],
  [
    'windows-1252',
    'fr',
    'Voix ambiguë d’un cœur qui, au zéphyr, préfère les jattes de kiwis.',
    '566f697820616d62696775eb206492756e20639c7572207175692c206175207ae9706879722c207072e966e87265206c6573206a6174746573206465206b697769732e',
  ],
  [
    'windows-1253',
    'el',
    'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. Τάχιστη αλώπηξ βαφής.',
    'cee5f3eae5f0dce6f920f4e7ed20f8f5f7eff6e8fcf1e120e2e4e5ebf5e3ecdfe12e20d4dcf7e9f3f4e720e1ebfef0e7ee20e2e1f6def22e',
  ],
  [
    'windows-1254',
    'tr',
    'Pijamalı hasta yağız şoföre çabucak güvendi. İstanbul’da öğle.',
    '50696a616d616cfd206861737461207961f0fd7a20fe6f66f6726520e761627563616b2067fc76656e64692e20dd7374616e62756c92646120f6f06c652e',
  ],
  [
    'windows-1255',
    'he',
    'דג סקרן שט בים מאוכזב ולפתע מצא לו חברה איך הקליטה.',
    'e3e220f1f7f8ef20f9e820e1e9ed20eee0e5ebe6e120e5ecf4faf220eef6e020ece520e7e1f8e420e0e9ea20e4f7ece9e8e42e',
  ],
  [
    'windows-1256',
    'ar',
    'نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر، والسلام عليكم ورحمة الله',
    'e4d520cddfede320e1e520d3d120dec7d8da20e6d0e620d4c3e420dad9ede320e3dfcae6c820dae1ec20cbe6c820c3ced6d1a120e6c7e1d3e1c7e320dae1eddfe320e6d1cde3c920c7e1e1e5',
  ],
  [
    'windows-1257',
    'lt',
    'Įlinkdama fechtuotojo špaga sublykčiojusi pragręžė apvalų arbūzą.',
    'c16c696e6b64616d61206665636874756f746f6a6f20f070616761207375626c796be8696f6a757369207072616772e6feeb20617076616cf820617262fb7ae02e',
  ],
  [
    'windows-1258',
    'vi',
    'Tiếng Việt có dấu: con sông chảy, người đẹp.',
    '5469eaec6e67205669eaf27420636fec2064e2ec753a20636f6e2073f46e6720636861d2792c206e67fdf5cc6920f065f2702e',
  ],
  [
    'windows-874',
    'th',
    'เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน',
    'e0bbe7b9c1b9d8c9c2eccad8b4bbc3d0e0cac3d4b0e0c5d4c8a4d8b3a4e8d220a1c7e8d2bac3c3b4d2bdd9a7cad1b5c7ece0b4c3d1a8a9d2b9',
  ],
  [
    'iso-8859-2',
    'hu',
    'Árvíztűrő tükörfúrógép. Jó foxim és don Quijote húszwattos lámpánál.',
    'c17276ed7a74fb72f52074fc6bf67266fa72f367e9702e204af320666f78696d20e97320646f6e205175696a6f74652068fa737a776174746f73206ce16d70e16ee16c2e',
  ],
  [
    'iso-8859-3',
    'eo',
    'Eĥoŝanĝo ĉiuĵaŭde: laŭ Ludoviko Zamenhof bongustas freŝa ĉeĥa manĝaĵo.',
    '45b66ffe616ef86f20e66975bc61fd64653a206c61fd204c75646f76696b6f205a616d656e686f6620626f6e67757374617320667265fe6120e665b661206d616ef861bc6f2e',
  ],
  [
    'iso-8859-4',
    'lv',
    'Glāžšķūņa rūķīši dzērumā čiepj Baha koncertflīģeļu vākus.',
    '476ce0beb9f3fef1612072fef3efb96920647aba72756de020e86965706a2042616861206b6f6e63657274666cefbb65b6752076e06b75732e',
  ],
  [
    'iso-8859-5',
    'bg',
    'Жълтата дюля беше щастлива, че пухът, който цъфна, замръзна.',
    'b6eadbe2d0e2d020d4eedbef20d1d5e8d520e9d0e1e2dbd8d2d02c20e7d520dfe3e5eae22c20daded9e2de20e6eae4ddd02c20d7d0dce0ead7ddd02e',
  ],
  [
    'iso-8859-6',
    'ar',
    'نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر',
    'e6d520cde3eae520e4e720d3d120e2c7d7d920e8d0e820d4c3e620d9d8eae520e5e3cae8c820d9e4e920cbe8c820c3ced6d1',
  ],
  [
    'iso-8859-7',
    'el',
    'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. Τάχιστη αλώπηξ βαφής.',
    'cee5f3eae5f0dce6f920f4e7ed20f8f5f7eff6e8fcf1e120e2e4e5ebf5e3ecdfe12e20d4dcf7e9f3f4e720e1ebfef0e7ee20e2e1f6def22e',
  ],
  [
    'iso-8859-8',
    'he',
    'דג סקרן שט בים מאוכזב ולפתע מצא לו חברה',
    'e3e220f1f7f8ef20f9e820e1e9ed20eee0e5ebe6e120e5ecf4faf220eef6e020ece520e7e1f8e4',
  ],
  [
    'iso-8859-10',
    'is',
    'Kæmi ný öxi hér ykist þjófum nú bæði víl og ádrepa. Đoŋŋa šaŧŧa.',
    '4be66d69206efd20f678692068e97220796b69737420fe6af366756d206efa2062e6f0692076ed6c206f6720e164726570612e20a96fbfbf6120ba61bbbb612e',
  ],
  [
    'iso-8859-13',
    'lv',
    'Glāžšķūņa rūķīši dzērumā čiepj Baha koncertflīģeļu vākus.',
    '476ce2fef0edfbf2612072fbedeef06920647ae772756de220e86965706a2042616861206b6f6e63657274666ceeec65ef752076e26b75732e',
  ],
  [
    'iso-8859-14',
    'cy',
    'Ŵy a ŷd: parciais fy jac codi baw hud llawn dŵr ger tŷ Mabon.',
    'd079206120fe643a207061726369616973206679206a616320636f64692062617720687564206c6c61776e2064f072206765722074fe204d61626f6e2e',
  ],
  [
    'iso-8859-15',
    'fr',
    'Prix : 20 €. Un cœur préfère les jattes de kiwis à Žilina.',
    '50726978203a20323020a42e20556e2063bd7572207072e966e87265206c6573206a6174746573206465206b6977697320e020b4696c696e612e',
  ],
  [
    'iso-8859-16',
    'ro',
    'Gheorghe, obezul, a reușit să obțină jucându-se un flux în Quebec. Țuțu, 5 €.',
    '4768656f726768652c206f62657a756c2c206120726575ba69742073e3206f62fe696ee3206a7563e26e64752d736520756e20666c757820ee6e205175656265632e20de75fe752c203520a42e',
  ],
  [
    'koi8-r',
    'ru',
    'Съешь же ещё этих мягких французских булок, да выпей чаю.',
    'f3dfc5dbd820d6c520c5dda320dcd4c9c820cdd1c7cbc9c820c6d2c1cec3d5dad3cbc9c820c2d5cccfcb2c20c4c120d7d9d0c5ca20dec1c02e',
  ],
  [
    'koi8-u',
    'uk',
    'Чуєш їх, доцю, га? Кумедна ж ти, прощайся без ґольфів!',
    'fed5a4db20a7c82c20c4cfc3c02c20c7c13f20ebd5cdc5c4cec120d620d4c92c20d0d2cfddc1cad3d120c2c5da20adcfccd8c6a6d721',
  ],
  [
    'ibm866',
    'ru',
    'Съешь же ещё этих мягких французских булок, да выпей чаю.',
    '91eaa5e8ec20a6a520a5e9f120ede2a8e520acefa3aaa8e520e4e0a0ade6e3a7e1aaa8e520a1e3abaeaa2c20a4a020a2ebafa5a920e7a0ee2e',
  ],
  [
    'macintosh',
    'de',
    'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.',
    '5a779a6c6620426f786b8a6d70666572206a6167656e2056696b746f722071756572209f6265722064656e2067726fa7656e2053796c7465722044656963682e',
  ],
  [
    'x-mac-cyrillic',
    'ru',
    'Съешь же ещё этих мягких французских булок, да выпей чаю.',
    '91fae5f8fc20e6e520e5f9de20fdf2e8f520ecdfe3eae8f520f4f0e0edf6f3e7f1eae8f520e1f3ebeeea2c20e4e020e2fbefe5e920f7e0fe2e',
  ],
  [
    'shift_jis',
    'ja',
    'いろはにほへと ちりぬるを。吾輩は猫である。ﾊﾝｶｸｶﾅ①',
    '82a282eb82cd82c982d982d682c62082bf82e882ca82e982f081428ce1947982cd944c82c582a082e98142caddb6b8b6c58740',
  ],
  [
    'euc-jp',
    'ja',
    'いろはにほへと ちりぬるを。吾輩は猫である。名前はまだ無い。',
    'a4a4a4eda4cfa4cba4dba4d8a4c820a4c1a4eaa4cca4eba4f2a1a3b8e3c7daa4cfc7ada4c7a4a2a4eba1a3ccbec1b0a4cfa4dea4c0ccb5a4a4a1a3',
  ],
  [
    'iso-2022-jp',
    'ja',
    'いろはにほへと ちりぬるを。吾輩は猫である。',
    '1b24422424246d244f244b245b245824481b2842201b24422441246a244c246b247221233863475a244f472d24472422246b21231b2842',
  ],
  [
    'gbk',
    'zh',
    '我能吞下玻璃而不伤身体。视野无限广，窗外有蓝天。',
    'ced2c4dccdcccfc2b2a3c1a7b6f8b2bbc9cbc9edcce5a1a3cad3d2b0cedecfdeb9e3a3acb4b0cde2d3d0c0b6cceca1a3',
  ],
  [
    'gb18030',
    'zh',
    '我能吞下玻璃而不伤身体。𠮷野家，㐀。',
    'ced2c4dccdcccfc2b2a3c1a7b6f8b2bbc9cbc9edcce5a1a39534b235d2b0bcd2a3ac8139ee39a1a3',
  ],
  [
    'big5',
    'zh',
    '我能吞下玻璃而不傷身體。視野無限廣，窗外有藍天。',
    'a7daafe0a75da455acc1bcfea6d3a4a3b6cba8adc5e9a143b5f8b3a5b54cadadbc73a141b5a1a57ea6b3c2c5a4d1a143',
  ],
  [
    'euc-kr',
    'ko',
    '키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다.',
    'c5b0bdbac0c720b0edc0afc1b6b0c7c0ba20c0d4bcfab3a2b8ae20b8b8b3aabedf20c7cfb0ed20c6afbab0c7d120b1e2bcfac0ba20c7cabfe4c4a120becab4d92e',
  ],
  ['utf-8', 'el', 'Ξεσκεπάζω — 𝒳 😀', 'ce9eceb5cf83cebaceb5cf80ceacceb6cf8920e2809420f09d92b320f09f9880'],
  [
    'utf-16le',
    'ru',
    'Съешь же ещё этих мягких булок 😀',
    '21044a04350448044c04200036043504200035044904510420004d0442043804450420003c044f0433043a04380445042000310443043b043e043a0420003dd800de',
  ],
  ['utf-16be', 'ja', '吾輩は猫である 😀 ok', '543e8f29306f732b30673042308b0020d83dde000020006f006b'],
]

const bytesOf = (hex: string): Uint8Array => Buffer.from(hex, 'hex')
const sample = (label: string): { readonly text: string; readonly bytes: Uint8Array } => {
  const [, , text, hex] = samples.find(([name]) => name === label)!
  return { text, bytes: bytesOf(hex) }
}
const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts)
const isWide = (label: string): boolean => label.startsWith('utf-16')

describe('a declared charset', () => {
  test('is known in more than 30 kinds', () => {
    expect(new Set(samples.map(([label]) => label)).size).toBeGreaterThanOrEqual(30)
  })

  test.each(samples)('%s is read by the header', (label, _language, text, hex) => {
    expect(decodeText(bytesOf(hex), `text/plain; charset=${label}`, plain)).toEqual({ text, charset: label })
    expect(decodeText(bytesOf(hex), `text/html; x=y; Charset="${label.toUpperCase()}"`, html).text).toBe(text)
  })

  test.each(samples.filter(([label]) => !isWide(label)))('%s is read by the page', (label, _language, text, hex) => {
    const heads = [
      `<!doctype html><meta charset=${label}><p>`,
      `<html><head><meta http-equiv="Content-Type" content="text/html; charset=${label}"></head><body>`,
      `<?xml version="1.0" encoding="${label}"?><html xmlns="http://www.w3.org/1999/xhtml"><p>`,
      `<head>${'<!-- a long comment -->'.repeat(100)}<meta charset="${label}"><p>`,
    ]
    for (const head of heads) {
      const decoded = decodeText(joined(ascii(head), bytesOf(hex)), 'text/html', html)
      expect(decoded.text).toBe(head + text)
    }
  })

  test('of XML is read where it is not a page', () => {
    const { text, bytes } = sample('windows-1251')
    const head = '<?xml version="1.0" encoding="windows-1251"?><a>'
    expect(decodeText(joined(ascii(head), bytes), 'application/xml', plain).text).toBe(head + text)
  })

  test('in the header comes before the one in the page', () => {
    const { text, bytes } = sample('koi8-r')
    const head = '<meta charset="windows-1251">'
    const decoded = decodeText(joined(ascii(head), bytes), 'text/html; charset=koi8-r', html)
    expect(decoded).toEqual({ text: head + text, charset: 'koi8-r' })
  })

  test('in the page is not looked for in plain text', () => {
    const decoded = decodeText(ascii('<meta charset="utf-16"> caf\xe9'), 'text/plain', plain)
    expect(decoded).toEqual({ text: '<meta charset="utf-16"> café', charset: 'windows-1252' })
  })

  test.each(['nonsense', 'iso-2022-kr', 'hz-gb-2312', '', '"'])(
    'that cannot be decoded (%s) is passed over',
    (label) => {
      const { text, bytes } = sample('utf-8')
      expect(decodeText(bytes, `text/html; charset=${label}`, html)).toEqual({ text, charset: 'utf-8' })
    },
  )

  test('of latin1 means windows-1252, as on the web', () => {
    expect(decodeText(ascii('\x93quoted\x94'), 'text/html; charset=iso-8859-1', html)).toEqual({
      text: '“quoted”',
      charset: 'windows-1252',
    })
  })
})

describe('a mark at the start', () => {
  const marks: readonly (readonly [charset: string, hex: string])[] = [
    ['utf-8', 'efbbbfc3a9'],
    ['utf-16le', 'fffee900'],
    ['utf-16be', 'feff00e9'],
    ['utf-32le', 'fffe0000e9000000'],
    ['utf-32be', '0000feff000000e9'],
  ]

  test.each(marks)('of %s beats the header and is no part of the text', (charset, hex) => {
    expect(decodeText(bytesOf(hex), 'text/html; charset=koi8-r', html)).toEqual({ text: 'é', charset })
  })
})

describe('a declaration that the bytes contradict', () => {
  test('is passed over when it says UTF-8 and they are not', () => {
    const { text, bytes } = sample('windows-1251')
    expect(decodeText(bytes, 'text/html; charset=utf-8', html)).toEqual({ text, charset: 'windows-1251' })
    const head = '<meta charset="koi8-r">'
    const decoded = decodeText(joined(ascii(head), sample('koi8-r').bytes), 'text/html; charset=utf-8', html)
    expect(decoded.charset).toBe('koi8-r')
  })

  test('stands when only a few bytes are broken', () => {
    const { text, bytes } = sample('utf-8')
    const decoded = decodeText(joined(bytes, bytesOf('ff20c3')), 'text/html; charset=utf-8', html)
    expect(decoded).toEqual({ text: `${text}\ufffd \ufffd`, charset: 'utf-8' })
  })

  test.each(['iso-8859-1', 'windows-1251', 'shift_jis', 'utf-16le'])(
    'is passed over when it says %s and they are UTF-8',
    (label) => {
      const text = 'Grüße aus Köln, schöne Straße'
      expect(decodeText(Buffer.from(text), `text/html; charset=${label}`, html)).toEqual({ text, charset: 'utf-8' })
    },
  )

  test('stands where too few letters could be chance', () => {
    expect(decodeText(bytesOf('c2bb'), 'text/plain; charset=gbk', plain).text).toBe('禄')
  })

  test('stands for bytes that are UTF-8 only because they are ASCII', () => {
    expect(decodeText(sample('iso-2022-jp').bytes, 'text/html; charset=iso-2022-jp', html).text).toBe(
      sample('iso-2022-jp').text,
    )
  })
})

describe('without a declaration', () => {
  const guessed = [
    'utf-8',
    'shift_jis',
    'euc-jp',
    'iso-2022-jp',
    'gb18030',
    'big5',
    'euc-kr',
    'koi8-u',
    'ibm866',
    'iso-8859-5',
    'windows-1250',
    'windows-1251',
    'windows-1252',
    'windows-1253',
    'windows-1254',
    'windows-1255',
    'windows-1256',
    'windows-1257',
    'windows-874',
  ]

  test.each(guessed)('%s is recognised by its letters', (label) => {
    const { text, bytes } = sample(label)
    const head = '<html><head><title>A page</title></head><body class="main"><p>'
    expect(decodeText(joined(ascii(head), bytes), 'text/html', html)).toEqual({ text: head + text, charset: label })
    expect(decodeText(bytes, undefined, plain)).toEqual({ text, charset: label })
  })

  test('what the page says of its language helps', () => {
    const { text, bytes } = sample('iso-8859-2')
    const head = '<html lang="hu"><p>'
    expect(decodeText(joined(ascii(head), bytes), 'text/html', html).text).toBe(head + text)
  })

  test.each(['utf-16le', 'utf-16be'])('%s is recognised by its zeros', (label) => {
    const text = '<html><p>Hello, world é'
    const little = Buffer.from(text, 'utf16le')
    expect(decodeText(label === 'utf-16le' ? little : little.swap16(), 'text/html', html)).toEqual({
      text,
      charset: label,
    })
  })

  test('bytes that fit nothing are taken for windows-1252', () => {
    expect(decodeText(bytesOf('80a4b4'), undefined, plain)).toEqual({ text: '€¤´', charset: 'windows-1252' })
  })

  test('nothing is an empty text', () => {
    expect(decodeText(new Uint8Array(), undefined, html)).toEqual({ text: '', charset: 'utf-8' })
  })
})

test.each([
  ['euc-kr', [0x81, 0x41], '갂'],
  ['big5', [0x87, 0x40], '䏰'],
  ['windows-1252', [0x80, 0x9f], '€Ÿ'],
  ['iso-8859-16', [0xa4, 0xa5], '€„'],
])('%s is decoded by the standard, also where the platform is wrong', (label, bytes, text) => {
  expect(decodeText(Uint8Array.from(bytes), `text/html; charset=${label}`, { html: true }).text).toBe(text)
})

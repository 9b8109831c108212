// Sentences of many languages, and their bytes in the encodings of the web. The bytes come from another encoder than the
// decoders that are tested with them.
const texts = {
  polish: 'Zażółć gęślą jaźń, pomyślał chłopiec, gdy śnieg padał na łąkę pod Łodzią.',
  russian: 'Съешь ещё этих мягких французских булок, да выпей чаю, сказал старый друг.',
  smart: '“Façade” – it’s a naïve idea… worth 5 €, said Zoë at the café.',
  greek: 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία, είπε ο γέρος κοιτάζοντας τη θάλασσα.',
  turkish: "Pijamalı hasta yağız şoföre çabucak güvendi ve İstanbul'a doğru yola çıktı.",
  hebrew: 'דג סקרן שט בים מאוכזב ולפתע מצא חברה, והם שחו יחד אל החוף הרחוק',
  arabic: 'نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر ومغلف بجلد أزرق',
  lith: 'Įlinkdama fechtuotojo špaga sublykčiojusi pragręžė apvalų arbūzą, ir žąsys ėjo į mišką.',
  viet: 'Tôi yêu tiê\u0301ng nươ\u0301c tôi',
  thai: 'เป็นมน\u0e38ษย์ส\u0e38ดประเสริฐเลิศค\u0e38ณค\u0e48า กว\u0e48าบรรดาฝ\u0e39งสัตว์เดรัจฉาน',
  west: "Très bien: le garçon naïf a mangé une crêpe à Noël, où déjà l'été s'en allait vers la forêt.",
  esper: 'Ĉu ŝi ĝojas pro la ĵurnalo, aŭ ĉu la ĥoro eĥoŝanĝas ĉiun ĵaŭdon?',
  latvian: 'Glāžšķūņa rūķīši dzērumā čiepj, bet ķirši un ābeļu ziedi ēnā šūpojas.',
  nordic: 'Þó að sé kalt þá ætla ég í sund, sagði hún ķ nátt, ŋ og ŧ og đ eru stafir.',
  celtic: "Ŵyth ŷd, ḃ, ċ, ḋ, ḟ, ġ, ṁ, ṗ, ṡ, ṫ: d'fhág an sean-ḟear an teaċ agus an ṁadra.",
  euro: 'Fünf süße Äpfel kosten zwölf Euro (12 €), sagte der Händler über die größere Kiste.',
  romanian: 'Muzicologă în bej vând whisky și tequila, preț fix, țăranii își știu toți grâul.',
  ukr: "Жебракують філософи при ґанку церкви в Гадячі, ще й шатро їхнє п'яне знаємо.",
  macr: 'Le cœur déçu mais l’âme plutôt naïve, “Louÿs” rêva de crapaüter en canoë…',
  chs: '视野无限广，窗外有蓝天。春天来了，农民在田里种水稻，孩子们在河边放风筝。',
  cht: '視野無限廣，窗外有藍天。春天來了，農民在田裡種水稻，孩子們在河邊放風箏。',
  jp: 'いろはにほへと散りぬるを、我が世誰ぞ常ならむ。東京の桜は今年も美しいです。',
  kr: '키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다. 서울의 봄은 아름답다.',
  mix: 'Ünïcödé: Ελλάδα, Россия, ישראל, 日本語, 한국어, 👩‍🌾',
} as const

export interface Encoded {
  /** A name that pages use for it. */
  readonly label: string
  readonly text: string
  readonly base64: string
}

export const encodedTexts: readonly Encoded[] = [
  {
    label: 'windows-1250',
    text: texts.polish,
    base64: 'WmG/87PmIGfqnGy5IGphn/EsIHBvbXmcbGGzIGNos29waWVjLCBnZHkgnG5pZWcgcGFkYbMgbmEgs7lr6iBwb2Qgo29kemm5Lg==',
  },
  {
    label: 'windows-1251',
    text: texts.russian,
    base64: '0frl+Pwg5fm4IP3y6PUg7P/j6uj1IPTw4O328+fx6uj1IOHz6+7qLCDk4CDi++/l6SD34P4sIPHq4Ofg6yDx8uDw++kg5PDz4y4=',
  },
  {
    label: 'windows-1252',
    text: texts.smart,
    base64: 'k0Zh52FkZZQgliBpdJJzIGEgbmHvdmUgaWRlYYUgd29ydGggNSCALCBzYWlkIFpv6yBhdCB0aGUgY2Fm6S4=',
  },
  {
    label: 'windows-1253',
    text: texts.greek,
    base64: 'zuXz6uXw3Ob5IPTn7SD49ffv9uj88eEg4uTl6/Xj7N/hLCDl3/DlIO8g493x7/Ig6u/p9Nzm7+304fIg9Ocg6Nzr4fPz4S4=',
  },
  {
    label: 'windows-1254',
    text: texts.turkish,
    base64: 'UGlqYW1hbP0gaGFzdGEgeWHw/Xog/m9m9nJlIOdhYnVjYWsgZ/x2ZW5kaSB2ZSDdc3RhbmJ1bCdhIGRv8HJ1IHlvbGEg5/1rdP0u',
  },
  {
    label: 'windows-1255',
    text: texts.hebrew,
    base64: '4+Ig8ff47yD56CDh6e0g7uDl6+bhIOXs9PryIO724CDn4fjkLCDl5O0g+eflIOnn4yDg7CDk5+XzIOT45+X3',
  },
  {
    label: 'windows-1256',
    text: texts.arabic,
    base64: '5NUgzd/t4yDh5SDT0SDex9jaIObQ5iDUw+Qg2tnt4yDj38rmyCDa4ewgy+bIIMPO1tEg5uPb4d0gyMzhzyDD0tHe',
  },
  {
    label: 'windows-1257',
    text: texts.lith,
    base64:
      'wWxpbmtkYW1hIGZlY2h0dW90b2pvIPBwYWdhIHN1Ymx5a+hpb2p1c2kgcHJhZ3Lm/usgYXB2YWz4IGFyYvt64CwgaXIg/uBzeXMg62pvIOEgbWnwa+Au',
  },
  { label: 'windows-1258', text: texts.viet, base64: 'VPRpIHnqdSB0aersbmcgbv317GMgdPRp' },
  {
    label: 'windows-874',
    text: texts.thai,
    base64: '4LvnucG52MnC7MrYtLvD0ODKw9Sw4MXUyKTYs6To0iChx+jSusPDtNK92afK0bXH7OC0w9GoqdK5',
  },
  {
    label: 'iso-8859-1',
    text: texts.west,
    base64:
      'VHLocyBiaWVuOiBsZSBnYXLnb24gbmHvZiBhIG1hbmfpIHVuZSBjcupwZSDgIE5v62wsIG/5IGTpauAgbCfpdOkgcydlbiBhbGxhaXQgdmVycyBsYSBmb3LqdC4=',
  },
  {
    label: 'iso-8859-2',
    text: texts.polish,
    base64: 'WmG/87PmIGfqtmyxIGphvPEsIHBvbXm2bGGzIGNos29waWVjLCBnZHkgtm5pZWcgcGFkYbMgbmEgs7Fr6iBwb2Qgo29kemmxLg==',
  },
  {
    label: 'iso-8859-3',
    text: texts.esper,
    base64: 'xnUg/mkg+G9qYXMgcHJvIGxhILx1cm5hbG8sIGH9IOZ1IGxhILZvcm8gZbZv/mFu+GFzIOZpdW4gvGH9ZG9uPw==',
  },
  {
    label: 'iso-8859-4',
    text: texts.latvian,
    base64: 'R2zgvrnz/vFhIHL+8++5aSBkerpydW3gIOhpZXBqLCBiZXQg82lyuWkgdW4g4GJltnUgemllZGkgum7gILn+cG9qYXMu',
  },
  {
    label: 'iso-8859-5',
    text: texts.russian,
    base64: 'werV6Owg1enxIO3i2OUg3O/T2tjlIOTg0N3m49fh2tjlINHj297aLCDU0CDS69/V2SDn0O4sIOHa0NfQ2yDh4tDg69kg1ODj0y4=',
  },
  {
    label: 'iso-8859-6',
    text: texts.arabic,
    base64: '5tUgzePq5SDk5yDT0SDix9fZIOjQ6CDUw+Yg2djq5SDl48royCDZ5Okgy+jIIMPO1tEg6OXa5OEgyMzkzyDD0tHi',
  },
  {
    label: 'iso-8859-7',
    text: texts.greek,
    base64: 'zuXz6uXw3Ob5IPTn7SD49ffv9uj88eEg4uTl6/Xj7N/hLCDl3/DlIO8g493x7/Ig6u/p9Nzm7+304fIg9Ocg6Nzr4fPz4S4=',
  },
  {
    label: 'iso-8859-8',
    text: texts.hebrew,
    base64: '4+Ig8ff47yD56CDh6e0g7uDl6+bhIOXs9PryIO724CDn4fjkLCDl5O0g+eflIOnn4yDg7CDk5+XzIOT45+X3',
  },
  {
    label: 'iso-8859-9',
    text: texts.turkish,
    base64: 'UGlqYW1hbP0gaGFzdGEgeWHw/Xog/m9m9nJlIOdhYnVjYWsgZ/x2ZW5kaSB2ZSDdc3RhbmJ1bCdhIGRv8HJ1IHlvbGEg5/1rdP0u',
  },
  {
    label: 'iso-8859-10',
    text: texts.nordic,
    base64: '3vMgYfAgc+kga2FsdCD+4SDmdGxhIOlnIO0gc3VuZCwgc2Fn8GkgaPpuILYgbuF0dCwgvyBvZyC7IG9nILkgZXJ1IHN0YWZpci4=',
  },
  {
    label: 'iso-8859-13',
    text: texts.lith,
    base64:
      'wWxpbmtkYW1hIGZlY2h0dW90b2pvIPBwYWdhIHN1Ymx5a+hpb2p1c2kgcHJhZ3Lm/usgYXB2YWz4IGFyYvt64CwgaXIg/uBzeXMg62pvIOEgbWnwa+Au',
  },
  {
    label: 'iso-8859-14',
    text: texts.celtic,
    base64: '0Hl0aCD+ZCwgoiwgpSwgqywgsSwgsywgtSwguSwgvywg9zogZCdmaOFnIGFuIHNlYW4tsWVhciBhbiB0ZWGlIGFndXMgYW4gtWFkcmEu',
  },
  {
    label: 'iso-8859-15',
    text: texts.euro,
    base64:
      'RvxuZiBz/N9lIMRwZmVsIGtvc3RlbiB6d/ZsZiBFdXJvICgxMiCkKSwgc2FndGUgZGVyIEjkbmRsZXIg/GJlciBkaWUgZ3L232VyZSBLaXN0ZS4=',
  },
  {
    label: 'iso-8859-16',
    text: texts.romanian,
    base64:
      'TXV6aWNvbG9n4yDubiBiZWogduJuZCB3aGlza3kgumkgdGVxdWlsYSwgcHJl/iBmaXgsIP7jcmFuaWkg7rppILp0aXUgdG/+aSBncuJ1bC4=',
  },
  {
    label: 'koi8-r',
    text: texts.russian,
    base64: '89/F29ggxd2jINzUycggzdHHy8nIIMbSwc7D1drTy8nIIMLVzM/LLCDEwSDX2dDFyiDewcAsINPLwdrBzCDT1MHS2cogxNLVxy4=',
  },
  {
    label: 'koi8-u',
    text: texts.ukr,
    base64: '9sXC0sHL1cDU2CDGpszP08/GySDQ0skgrcHOy9Ugw8XSy9fJINcg58HE0d6mLCDdxSDKINvB1NLPIKfIzqQg0CfRzsUg2s7BpM3PLg==',
  },
  {
    label: 'ibm866',
    text: texts.russian,
    base64: 'keql6OwgpenxIO3iqOUgrO+jqqjlIOTgoK3m46fhqqjlIKHjq66qLCCkoCCi66+lqSDnoO4sIOGqoKegqyDh4qDg66kgpODjoy4=',
  },
  {
    label: 'macintosh',
    text: texts.macr,
    base64: 'TGUgY891ciBkjo11IG1haXMgbNWJbWUgcGx1dJl0IG5hlXZlLCDSTG912HPTIHKQdmEgZGUgY3JhcGGfdGVyIGVuIGNhbm+RyQ==',
  },
  {
    label: 'x-mac-cyrillic',
    text: texts.russian,
    base64: 'kfrl+Pwg5fneIP3y6PUg7N/j6uj1IPTw4O328+fx6uj1IOHz6+7qLCDk4CDi++/l6SD34P4sIPHq4Ofg6yDx8uDw++kg5PDz4y4=',
  },
  {
    label: 'gbk',
    text: texts.chs,
    base64: 'ytPSsM7ez96546OstLDN4tPQwLbM7KGjtLrM7MC0wcujrMWpw/HU2szvwO/W1suutb6jrLqi19PDx9TautOx37fFt+fz3aGj',
  },
  {
    label: 'gb18030',
    text: texts.chs,
    base64: 'ytPSsM7ez96546OstLDN4tPQwLbM7KGjtLrM7MC0wcujrMWpw/HU2szvwO/W1suutb6jrLqi19PDx9TautOx37fFt+fz3aGj',
  },
  {
    label: 'gb2312',
    text: texts.chs,
    base64: 'ytPSsM7ez96546OstLDN4tPQwLbM7KGjtLrM7MC0wcujrMWpw/HU2szvwO/W1suutb6jrLqi19PDx9TautOx37fFt+fz3aGj',
  },
  {
    label: 'big5',
    text: texts.cht,
    base64: 'tfizpbVMra28c6FBtaGlfqazwsWk0aFDrEuk0ajTpEahQblBpcGmYqXQuMy62KT0vV+hQavEpGytzKZiqmXD5Knxrbe65aFD',
  },
  {
    label: 'euc-jp',
    text: texts.jp,
    base64: 'pKSk7aTPpMuk26TYpMi7tqTqpMyk66TyoaKy5qSswKTDr6S+vu+kyqTppOCho8Xstf6kzrr5pM+6o8evpOLI/qS3pKSkx6S5oaM=',
  },
  {
    label: 'shift_jis',
    text: texts.jp,
    base64: 'gqKC64LNgsmC2YLWgsaOVYLogsqC6YLwgUGJ5IKqkKKSToK8j+2CyILngt6BQpOMi56CzI33gs2NoZROguCU/IK1gqKCxYK3gUI=',
  },
  {
    label: 'iso-2022-jp',
    text: texts.jp,
    base64:
      'GyRCJCQkbSRPJEskWyRYJEg7NiRqJEwkayRyISIyZiQsQCRDLyQ+Pm8kSiRpJGAhI0VsNX4kTjp5JE86I0cvJGJIfiQ3JCQkRyQ5ISMbKEI=',
  },
  {
    label: 'euc-kr',
    text: texts.kr,
    base64:
      'xbC9usDHILDtwK/BtrDHwLogwNS8+rOiuK4guLizqr7fIMfPsO0gxq+6sMfRILHivPrAuiDHyr/kxKEgvsq02S4gvK2/78DHILq9wLogvsa4p7TktNku',
  },
  {
    label: 'utf-8',
    text: texts.mix,
    base64:
      'w5xuw69jw7Zkw6k6IM6VzrvOu86szrTOsSwg0KDQvtGB0YHQuNGPLCDXmdep16jXkNecLCDml6XmnKzoqp4sIO2VnOq1reyWtCwg8J+RqeKAjfCfjL4=',
  },
]

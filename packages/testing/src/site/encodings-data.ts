// Sentences in many languages, and their bytes in the encodings of the web. The bytes do not come from the decoders that are
// tested with them.
const texts = {
  polish: 'Kosarz ma osiem długich nóg, chodzi nocą po ścianie i nie przędzie żadnej sieci, choć jest zręczny.',
  russian: 'У сенокосца восемь длинных ног, он ходит ночью по стене и не плетёт паутины, хотя мог бы.',
  smart: '“Façade” – it’s a naïve idea… worth 5 €, said Zoë at the café.',
  greek: 'Το φαλάγγι έχει οκτώ μακριά πόδια, περπατά τη νύχτα στον τοίχο και δεν υφαίνει ιστό.',
  turkish: "Otbiçenin sekiz uzun bacağı vardır, geceleyin duvarda yürür, ağ örmez; İstanbul'da da yaşar şüphesiz.",
  hebrew: 'לקוצר שמונה רגליים ארוכות, הוא צועד בלילה על הקיר ואינו טווה רשת',
  arabic: 'للحصاد ثماني أرجل طويلة، يمشي ليلا على الجدار ولا ينسج أي شبكة',
  lith: 'Šienpjovys turi aštuonias ilgas kojas, vaikšto naktį po sieną ir neaudžia jokio tinklo; čia daug ąžuolų lapų ir žolių.',
  viet: 'Tôi yêu tiê\u0301ng nươ\u0301c tôi',
  thai: 'แมงม\u0e38มขายาวมีแปดขา เดินบนกำแพงในตอนกลางคืน และไม\u0e48ทอใย',
  west: "Très bien: le garçon naïf a mangé une crêpe à Noël, où déjà l'été s'en allait vers la forêt.",
  esper: 'La falĉila bestaĵo havas ok longajn krurojn, sed ĝi ne ŝpinas reton; ĉiuĵaŭde ĝi paŝas ĥore.',
  latvian: 'Zirneklim ir astoņas garas kājas, tas naktī staigā pa sienu un neauž tīklu; šķiet, ka viņš ir ļoti žēlīgs.',
  nordic: 'Þó að sé kalt þá ætla ég í sund, sagði hún ķ nátt, ŋ og ŧ og đ eru stafir.',
  celtic: 'Mae gan hwn ŵyth o goesau hir; ŷd, ẁ, ẃ, ẅ, ỳ: siúlann ṡé ṫart, ḃí ċoṡ ḋeas ḟada aige, ġ, ṁ, ṗ.',
  euro: 'Fünf süße Äpfel kosten zwölf Euro (12 €), sagte der Händler über die größere Kiste.',
  ukr: 'Косарик має вісім довгих ніг, ходить уночі по стіні й не плете павутиння; ґрунт дає йому їжу.',
  macr: 'Le faucheux, au cœur léger, n’a pas de toile… “Où vas-tu ?” dit l’araignée à l’œil rond.',
  chs: '盲蛛有八条长腿，夜里在墙上行走，从不结网。春天的时候它们在树叶下面休息。',
  cht: '盲蛛有八條長腿，夜裡在牆上行走，從不結網。春天的時候牠們在樹葉下面休息。',
  jp: 'ザトウムシは八本の長い足を持ち、夜になると壁の上を歩き、網を張らない。春は葉の下で休む。',
  kr: '장님거미는 다리가 여덟 개이고 밤에 벽 위를 걸으며 거미줄을 치지 않는다. 봄에는 잎 아래에서 쉰다.',
  mix: 'Ünïcödé: Ελλάδα, Россия, ישראל, 日本語, 한국어, 👩‍🌾',
} as const

export interface Encoded {
  /** A label that pages use for it. */
  readonly label: string
  readonly text: string
  readonly base64: string
}

export const encodedTexts: readonly Encoded[] = [
  {
    label: 'windows-1250',
    text: texts.polish,
    base64:
      'S29zYXJ6IG1hIG9zaWVtIGSzdWdpY2ggbvNnLCBjaG9kemkgbm9juSBwbyCcY2lhbmllIGkgbmllIHByeupkemllIL9hZG5laiBzaWVjaSwgY2hv5iBqZXN0IHpy6mN6bnku',
  },
  {
    label: 'windows-1251',
    text: texts.russian,
    base64:
      '0yDx5e3u6u7x9uAg4u7x5ez8IOTr6O3t+/Ug7e7jLCDu7SD17uTo8iDt7vf8/iDv7iDx8uXt5SDoIO3lIO/r5fK48iDv4PPy6O37LCD17vL/IOzu4yDh+y4=',
  },
  {
    label: 'windows-1252',
    text: texts.smart,
    base64: 'k0Zh52FkZZQgliBpdJJzIGEgbmHvdmUgaWRlYYUgd29ydGggNSCALCBzYWlkIFpv6yBhdCB0aGUgY2Fm6S4=',
  },
  {
    label: 'windows-1253',
    text: texts.greek,
    base64:
      '1O8g9uHr3OPj6SDd9+XpIO/q9P4g7OHq8encIPD85OnhLCDw5fHw4fTcIPTnIO399/ThIPP07+0g9O/f9+8g6uHpIOTl7SD19uHf7eXpIOnz9Pwu',
  },
  {
    label: 'windows-1254',
    text: texts.turkish,
    base64:
      'T3RiaedlbmluIHNla2l6IHV6dW4gYmFjYfD9IHZhcmT9ciwgZ2VjZWxleWluIGR1dmFyZGEgefxy/HIsIGHwIPZybWV6OyDdc3RhbmJ1bCdkYSBkYSB5Yf5hciD+/HBoZXNpei4=',
  },
  {
    label: 'windows-1255',
    text: texts.hebrew,
    base64: '7Pfl9vgg+e7l8OQg+OLs6entIOD45evl+iwg5OXgIPbl8uMg4ezp7OQg8uwg5Pfp+CDl4Onw5SDo5eXkIPj5+g==',
  },
  {
    label: 'windows-1256',
    text: texts.arabic,
    base64: '4eHN1cfPIMvjx+TtIMPRzOEg2Obt4cmhIO3j1O0g4e3hxyDa4ewgx+HMz8fRIObhxyDt5NPMIMPtINTI38k=',
  },
  {
    label: 'windows-1257',
    text: texts.lith,
    base64:
      '0GllbnBqb3Z5cyB0dXJpIGHwdHVvbmlhcyBpbGdhcyBrb2phcywgdmFpa/B0byBuYWt04SBwbyBzaWVu4CBpciBuZWF1ZP5pYSBqb2tpbyB0aW5rbG87IOhpYSBkYXVnIOD+dW9s+CBsYXD4IGlyIP5vbGn4Lg==',
  },
  { label: 'windows-1258', text: texts.viet, base64: 'VPRpIHnqdSB0aersbmcgbv317GMgdPRp' },
  {
    label: 'windows-874',
    text: texts.thai,
    base64: '4cGnwdjBotLC0sfB1eG7tKLSIOC01Lm6uaHT4b6n47m1zbmhxdKnpNe5IOHF0OTB6LfN48I=',
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
    base64:
      'S29zYXJ6IG1hIG9zaWVtIGSzdWdpY2ggbvNnLCBjaG9kemkgbm9jsSBwbyC2Y2lhbmllIGkgbmllIHByeupkemllIL9hZG5laiBzaWVjaSwgY2hv5iBqZXN0IHpy6mN6bnku',
  },
  {
    label: 'iso-8859-3',
    text: texts.esper,
    base64:
      'TGEgZmFs5mlsYSBiZXN0YbxvIGhhdmFzIG9rIGxvbmdham4ga3J1cm9qbiwgc2VkIPhpIG5lIP5waW5hcyByZXRvbjsg5ml1vGH9ZGUg+GkgcGH+YXMgtm9yZS4=',
  },
  {
    label: 'iso-8859-4',
    text: texts.latvian,
    base64:
      'WmlybmVrbGltIGlyIGFzdG/xYXMgZ2FyYXMga+BqYXMsIHRhcyBuYWt07yBzdGFpZ+AgcGEgc2llbnUgdW4gbmVhdb4gdO9rbHU7ILnzaWV0LCBrYSB2afG5IGlyILZvdGkgvrps72dzLg==',
  },
  {
    label: 'iso-8859-5',
    text: texts.russian,
    base64:
      'wyDh1d3e2t7h5tAg0t7h1dzsINTb2N3d6+Ug3d7TLCDe3SDl3tTY4iDd3ufs7iDf3iDh4tXd1SDYIN3VIN/b1eLx4iDf0OPi2N3rLCDl3uLvINze0yDR6y4=',
  },
  {
    label: 'iso-8859-6',
    text: texts.arabic,
    base64: '5OTN1cfPIMvlx+bqIMPRzOQg1+jq5MmsIOrl1Oog5OrkxyDZ5Okgx+TMz8fRIOjkxyDq5tPMIMPqINTI48k=',
  },
  {
    label: 'iso-8859-7',
    text: texts.greek,
    base64:
      '1O8g9uHr3OPj6SDd9+XpIO/q9P4g7OHq8encIPD85OnhLCDw5fHw4fTcIPTnIO399/ThIPP07+0g9O/f9+8g6uHpIOTl7SD19uHf7eXpIOnz9Pwu',
  },
  {
    label: 'iso-8859-8',
    text: texts.hebrew,
    base64: '7Pfl9vgg+e7l8OQg+OLs6entIOD45evl+iwg5OXgIPbl8uMg4ezp7OQg8uwg5Pfp+CDl4Onw5SDo5eXkIPj5+g==',
  },
  {
    label: 'iso-8859-9',
    text: texts.turkish,
    base64:
      'T3RiaedlbmluIHNla2l6IHV6dW4gYmFjYfD9IHZhcmT9ciwgZ2VjZWxleWluIGR1dmFyZGEgefxy/HIsIGHwIPZybWV6OyDdc3RhbmJ1bCdkYSBkYSB5Yf5hciD+/HBoZXNpei4=',
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
      '0GllbnBqb3Z5cyB0dXJpIGHwdHVvbmlhcyBpbGdhcyBrb2phcywgdmFpa/B0byBuYWt04SBwbyBzaWVu4CBpciBuZWF1ZP5pYSBqb2tpbyB0aW5rbG87IOhpYSBkYXVnIOD+dW9s+CBsYXD4IGlyIP5vbGn4Lg==',
  },
  {
    label: 'iso-8859-14',
    text: texts.celtic,
    base64:
      'TWFlIGdhbiBod24g8Hl0aCBvIGdvZXNhdSBoaXI7IP5kLCC4LCC6LCC+LCC8OiBzafpsYW5uIL/pIPdhcnQsIKLtIKVvvyCrZWFzILFhZGEgYWlnZSwgsywgtSwguS4=',
  },
  {
    label: 'iso-8859-15',
    text: texts.euro,
    base64:
      'RvxuZiBz/N9lIMRwZmVsIGtvc3RlbiB6d/ZsZiBFdXJvICgxMiCkKSwgc2FndGUgZGVyIEjkbmRsZXIg/GJlciBkaWUgZ3L232VyZSBLaXN0ZS4=',
  },
  {
    label: 'koi8-r',
    text: texts.russian,
    base64:
      '9SDTxc7Py8/Tw8Eg18/Txc3YIMTMyc7O2cggzs/HLCDPziDIz8TJ1CDOz97YwCDQzyDT1MXOxSDJIM7FINDMxdSj1CDQwdXUyc7ZLCDIz9TRIM3PxyDC2S4=',
  },
  {
    label: 'koi8-u',
    text: texts.ukr,
    base64:
      '68/TwdLJyyDNwaQg16bTps0gxM/Xx8nIIM6mxywgyM/EydTYINXOz96mINDPINPUps6mIMogzsUg0MzF1MUg0MHX1dTJzs7ROyCt0tXO1CDEwaQgys/N1SCn1tUu',
  },
  {
    label: 'ibm866',
    text: texts.russian,
    base64:
      'kyDhpa2uqq7h5qAgoq7hpazsIKSrqK2t6+Ugra6jLCCurSDlrqSo4iCtrufs7iCvriDh4qWtpSCoIK2lIK+rpeLx4iCvoOPiqK3rLCDlruLvIKyuoyCh6y4=',
  },
  {
    label: 'macintosh',
    text: texts.macr,
    base64:
      'TGUgZmF1Y2hldXgsIGF1IGPPdXIgbI5nZXIsIG7VYSBwYXMgZGUgdG9pbGXJINJPnSB2YXMtdHUgP9MgZGl0IGzVYXJhaWdujmUgiCBs1c9pbCByb25kLg==',
  },
  {
    label: 'x-mac-cyrillic',
    text: texts.russian,
    base64:
      'kyDx5e3u6u7x9uAg4u7x5ez8IOTr6O3t+/Ug7e7jLCDu7SD17uTo8iDt7vf8/iDv7iDx8uXt5SDoIO3lIO/r5fLe8iDv4PPy6O37LCD17vLfIOzu4yDh+y4=',
  },
  {
    label: 'gbk',
    text: texts.chs,
    base64: 'w6TW69PQsMvM9bOkzcijrNK5wO/U2se9yc/Q0Nffo6y007K7veHN+KGjtLrM7LXEyrG68sv8w8fU2sr30rbPwsPm0N3PoqGj',
  },
  {
    label: 'gb18030',
    text: texts.chs,
    base64: 'w6TW69PQsMvM9bOkzcijrNK5wO/U2se9yc/Q0Nffo6y007K7veHN+KGjtLrM7LXEyrG68sv8w8fU2sr30rbPwsPm0N3PoqGj',
  },
  {
    label: 'gb2312',
    text: texts.chs,
    base64: 'w6TW69PQsMvM9bOkzcijrNK5wO/U2se9yc/Q0Nffo6y007K7veHN+KGjtLrM7LXEyrG68sv8w8fU2sr30rbPwsPm0N3PoqGj',
  },
  {
    label: 'big5',
    text: texts.cht,
    base64: 'qry176azpEux+Kr4u0yhQalduMymYsDwpFem5qiroUGxcaSjtbK69KFDrEuk0aq6rsmt1KhlrcymYr7wuK2kVa2xpfCup6FD',
  },
  {
    label: 'euc-jp',
    text: texts.jp,
    base64:
      'pbalyKWmpeClt6TPyKzL3KTOxLmkpMKtpPK7/aTBoaLM66TLpMqk66TIysmkzr7lpPLK4qStoaLM1qTyxKWk6aTKpKSho73VpM/N1aTOsrykx7XZpOChow==',
  },
  {
    label: 'shift_jis',
    text: texts.jp,
    base64:
      'g1WDZ4NFg4CDVoLNlKqWe4LMkreCopGrgvCOnYK/gUGW6YLJgsiC6YLGlceCzI/jgvCV4IKrgUGW1ILwkqOC54LIgqKBQo90gs2XdILMibqCxYt4gt6BQg==',
  },
  {
    label: 'iso-2022-jp',
    text: texts.jp,
    base64:
      'GyRCJTYlSCUmJWAlNyRPSCxLXCRORDkkJEItJHI7fSRBISJMayRLJEokayRISkkkTj5lJHJKYiQtISJMViRyRCUkaSRKJCQhIz1VJE9NVSROMjwkRzVZJGAhIxsoQg==',
  },
  {
    label: 'euc-kr',
    text: texts.kr,
    base64:
      'wOW01LDFucy0wiC02biusKEgv6m0/CCws8DMsO0gueO/oSC6riDAp7imILDJwLi45yCwxbnMwdnAuyDEocH2IL7KtMK02S4gur2/obTCIMDZIL7Gt6G/obytIL2utNku',
  },
  {
    label: 'utf-8',
    text: texts.mix,
    base64:
      'w5xuw69jw7Zkw6k6IM6VzrvOu86szrTOsSwg0KDQvtGB0YHQuNGPLCDXmdep16jXkNecLCDml6XmnKzoqp4sIO2VnOq1reyWtCwg8J+RqeKAjfCfjL4=',
  },
]

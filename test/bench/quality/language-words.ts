// The words of generated pages in twelve languages. The lists of all languages are equally long, so that a page has the
// same structure in each.

export interface Language {
  readonly tag: string
  readonly isRtl?: boolean
  /** What separates words, ends a sentence, and separates its parts. */
  readonly signs: readonly [space: string, stop: string, comma: string]
  readonly words: readonly string[]
  readonly names: readonly string[]
  readonly labels: Labels
}

const labelNames = [
  ...['home', 'about', 'contact', 'search', 'more', 'share', 'related', 'newsletter', 'subscribe', 'cookies', 'accept'],
  ...['comments', 'reply', 'login', 'by', 'published', 'updated', 'minutes', 'tags', 'rights', 'photo', 'next', 'cart'],
] as const
export type Labels = Readonly<Record<(typeof labelNames)[number], string>>

function language(
  tag: string,
  signs: Language['signs'],
  [words, names, labels]: readonly [words: string, names: string, labels: string],
): Language {
  const texts = labels.split('|')
  if (texts.length !== labelNames.length) throw new Error(`${tag} has ${texts.length} of ${labelNames.length} labels.`)
  const all = words.split(' ').map((word) => word.replace('_', ' '))
  if (all.length !== wordCount) throw new Error(`${tag} has ${all.length} of ${wordCount} words.`)
  return {
    tag,
    signs,
    isRtl: /^(?:ar|fa)/.test(tag),
    words: all,
    names: names.split('|'),
    labels: Object.fromEntries(labelNames.map((name, index) => [name, texts[index]!])) as Record<keyof Labels, string>,
  }
}

const wordCount = 38
const latin = [' ', '.', ','] as const

export const languages: readonly Language[] = [
  language('en-US', latin, [
    'the river and in town was with old bridge of many people their house after rain that water from market it has years new school for children by mountain road which small garden work more village through winter',
    'Anna Miller|Thomas Reed|Claire Morgan|David Stone|Emma Clarke|Peter Walsh',
    'Home|About us|Contact|Search|Read more|Share this|Related stories|Newsletter|Subscribe|We use cookies to improve this site|Accept|Comments|Reply|Log in|By|Published on|Updated on|min read|Tags|All rights reserved|Photo|Next article|Add to cart',
  ]),
  language('de-DE', latin, [
    'der Fluss und in Stadt war mit alten Brücke von vielen Menschen ihr Haus nach Regen dass Wasser aus Markt es hat Jahre neue Schule für Kinder bei Berg Straße die kleiner Garten Arbeit mehr Dorf durch Winter',
    'Anna Müller|Thomas Richter|Klara Vogel|Jürgen Weiß|Emma König|Peter Schäfer',
    'Startseite|Über uns|Kontakt|Suche|Weiterlesen|Teilen|Ähnliche Artikel|Newsletter|Abonnieren|Wir verwenden Cookies auf dieser Seite|Akzeptieren|Kommentare|Antworten|Anmelden|Von|Veröffentlicht am|Aktualisiert am|Min. Lesezeit|Schlagwörter|Alle Rechte vorbehalten|Foto|Nächster Artikel|In den Warenkorb',
  ]),
  language('fr-FR', latin, [
    'la rivière et dans ville était avec vieux pont de plusieurs gens leur maison après pluie que eau depuis marché il a années nouvelle école pour enfants par montagne route qui petit jardin travail plus village pendant hiver',
    'Anne Moreau|Thomas Leroy|Claire Dubois|Élodie Petit|Emma Girard|Pierre Lambert',
    'Accueil|À propos|Contact|Rechercher|Lire la suite|Partager|Articles similaires|Lettre d’information|S’abonner|Nous utilisons des cookies sur ce site|Accepter|Commentaires|Répondre|Se connecter|Par|Publié le|Mis à jour le|min de lecture|Mots-clés|Tous droits réservés|Photo|Article suivant|Ajouter au panier',
  ]),
  language('es-ES', latin, [
    'el río y en ciudad era con viejo puente de muchas personas su casa después lluvia que agua desde mercado lo ha años nueva escuela para niños por montaña camino cual pequeño jardín trabajo más pueblo durante invierno',
    'Ana Molina|Tomás Rivera|Clara Núñez|David Ortega|Emma Castillo|Pedro Vargas',
    'Inicio|Quiénes somos|Contacto|Buscar|Leer más|Compartir|Noticias relacionadas|Boletín|Suscribirse|Usamos cookies para mejorar este sitio|Aceptar|Comentarios|Responder|Iniciar sesión|Por|Publicado el|Actualizado el|min de lectura|Etiquetas|Todos los derechos reservados|Foto|Artículo siguiente|Añadir al carrito',
  ]),
  language('ru-RU', latin, [
    'эта река и в городе была со старым мостом от многих людей их дом после дождя что вода из рынка она имеет годы новая школа для детей у горы дорога которая маленький сад работа больше деревня через зиму',
    'Анна Мельникова|Иван Петров|Клара Волкова|Денис Орлов|Ольга Соколова|Пётр Васильев',
    'Главная|О нас|Контакты|Поиск|Читать далее|Поделиться|Похожие статьи|Рассылка|Подписаться|Мы используем файлы cookie на этом сайте|Принять|Комментарии|Ответить|Войти|Автор:|Опубликовано|Обновлено|мин чтения|Метки|Все права защищены|Фото|Следующая статья|В корзину',
  ]),
  language('tr-TR', latin, [
    'bu nehir ve içinde şehir idi ile eski köprü olan birçok insan onların ev sonra yağmur ki su oradan pazar o var yıllar yeni okul için çocuklar yanında dağ yol hangi küçük bahçe iş daha köy boyunca kış',
    'Ayşe Kaya|Mehmet Demir|Zeynep Arslan|Deniz Yılmaz|Elif Şahin|Murat Öztürk',
    'Ana sayfa|Hakkımızda|İletişim|Ara|Devamını oku|Paylaş|İlgili haberler|Bülten|Abone ol|Bu sitede çerezler kullanıyoruz|Kabul et|Yorumlar|Yanıtla|Giriş yap|Yazan:|Yayınlanma:|Güncelleme:|dk okuma|Etiketler|Tüm hakları saklıdır|Fotoğraf|Sonraki yazı|Sepete ekle',
  ]),
  language('vi-VN', latin, [
    'con sông và trong thành_phố là với cũ cầu của nhiều người họ nhà sau mưa rằng nước từ chợ nó có năm mới trường cho trẻ_em bởi núi đường mà nhỏ vườn việc hơn làng qua đông',
    'Nguyễn Văn An|Trần Thị Bình|Lê Minh Châu|Phạm Quốc Dũng|Hoàng Thu Hà|Vũ Đức Long',
    'Trang chủ|Giới thiệu|Liên hệ|Tìm kiếm|Xem thêm|Chia sẻ|Bài viết liên quan|Bản tin|Đăng ký|Chúng tôi sử dụng cookie trên trang này|Đồng ý|Bình luận|Trả lời|Đăng nhập|Tác giả:|Ngày đăng:|Cập nhật:|phút đọc|Từ khóa|Bảo lưu mọi quyền|Ảnh|Bài tiếp theo|Thêm vào giỏ',
  ]),
  language(
    'ar-EG',
    [' ', '.', '،'],
    [
      'هذا النهر و في المدينة كان مع القديم الجسر من كثير الناس هم البيت بعد المطر أن الماء عن السوق هو لديه سنوات جديدة المدرسة إلى الأطفال عند الجبل الطريق التي صغير الحديقة العمل أكثر القرية خلال الشتاء',
      'أحمد علي|سارة حسن|محمد كمال|ليلى منصور|عمر فاروق|نور صالح',
      'الرئيسية|من نحن|اتصل بنا|بحث|اقرأ المزيد|شارك|مواضيع ذات صلة|النشرة البريدية|اشترك|نستخدم ملفات تعريف الارتباط في هذا الموقع|موافق|التعليقات|رد|تسجيل الدخول|بقلم:|نشر في|تحديث في|دقائق قراءة|الوسوم|جميع الحقوق محفوظة|صورة|المقال التالي|أضف إلى السلة',
    ],
  ),
  language(
    'fa-IR',
    [' ', '.', '،'],
    [
      'این رود و در شهر بود با قدیمی پل از بسیاری مردم آنها خانه پس باران که آب تا بازار او دارد سال‌ها تازه مدرسه برای کودکان نزد کوه جاده کدام کوچک باغ کار بیشتر روستا میان زمستان',
      'رضا کریمی|سارا احمدی|مریم رضایی|امیر حسینی|نرگس محمدی|علی صادقی',
      'خانه|درباره ما|تماس|جستجو|ادامه مطلب|اشتراک‌گذاری|مطالب مرتبط|خبرنامه|عضویت|ما در این سایت از کوکی استفاده می‌کنیم|پذیرفتن|دیدگاه‌ها|پاسخ|ورود|نویسنده:|منتشر شده در|به‌روزرسانی|دقیقه مطالعه|برچسب‌ها|تمام حقوق محفوظ است|عکس|مطلب بعدی|افزودن به سبد',
    ],
  ),
  language(
    'ja-JP',
    ['', '。', '、'],
    [
      'その 川は そして 町で 中に あった とともに 古い 橋を の 多くの 人々が 彼らの 家は 後で 雨が ことを 水を から 市場へ それは ある 何年も 新しい 学校の ための 子供たち そばの 山から 道が という 小さな 庭に 仕事を もっと 村の 通して 冬を',
      '山田太郎|佐藤花子|鈴木一郎|高橋美咲|田中健二|渡辺由美',
      'ホーム|会社概要|お問い合わせ|検索|続きを読む|シェアする|関連記事|メールマガジン|登録する|当サイトではクッキーを使用しています|同意する|コメント|返信|ログイン|著者：|公開日：|更新日：|分で読めます|タグ|無断転載を禁じます|写真|次の記事|カートに入れる',
    ],
  ),
  language(
    'zh-CN',
    ['', '。', '，'],
    [
      '这条 河流 并且 在 城市 曾经 带着 古老的 桥梁 属于 许多 人们 他们的 房屋 以后 下雨 因此 水面 来自 市场 它们 已经 多年 新的 学校 为了 孩子们 旁边 山上 道路 其中 小小的 花园 工作 更多 村庄 经过 冬天',
      '王小明|李晓红|张伟强|刘美玲|陈建国|赵雪梅',
      '首页|关于我们|联系我们|搜索|阅读更多|分享|相关文章|新闻通讯|订阅|本网站使用Cookie来改善体验|接受|评论|回复|登录|作者：|发布时间：|更新时间：|分钟阅读|标签|版权所有|图片|下一篇|加入购物车',
    ],
  ),
  language(
    'th-TH',
    ['', ' ', ' '],
    [
      'แม่น้ำ และ ใน เมือง เคย กับ เก่า สะพาน ของ หลาย ผู้คน พวกเขา บ้าน หลังจาก ฝน ว่า น้ำ จาก ตลาด มัน มี หลายปี ใหม่ โรงเรียน สำหรับ เด็กๆ โดย ภูเขา ถนน ซึ่ง เล็ก สวน งาน มากกว่า หมู่บ้าน ผ่าน ฤดูหนาว ชีวิต',
      'สมชาย ใจดี|สุดา วงศ์ทอง|อนันต์ ศรีสุข|มาลี บุญมา|ประเสริฐ แก้วใส|วิภา รุ่งเรือง',
      'หน้าแรก|เกี่ยวกับเรา|ติดต่อ|ค้นหา|อ่านต่อ|แชร์|บทความที่เกี่ยวข้อง|จดหมายข่าว|สมัครรับข่าว|เว็บไซต์นี้ใช้คุกกี้|ยอมรับ|ความคิดเห็น|ตอบกลับ|เข้าสู่ระบบ|โดย|เผยแพร่เมื่อ|อัปเดตเมื่อ|นาที อ่าน|แท็ก|สงวนลิขสิทธิ์|ภาพ|บทความถัดไป|หยิบใส่ตะกร้า',
    ],
  ),
]

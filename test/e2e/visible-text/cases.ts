/** A page whose hidden text only a browser can determine. The tested text has the words `zebra quartz`. */
export interface BrowserCase {
  readonly name: string
  readonly head?: string
  readonly body: string
  readonly isSeen: boolean
}

const text = '<p>zebra quartz text of the page that is in question here</p>'
const below = '<div style="height:3000px"></div>'
/** Boxes of no height, of which each is searched for elements that leave it. */
const nested =
  `${'<div style="height:0;overflow:hidden">'.repeat(200)}${'<i></i>'.repeat(90)}t${'</div>'.repeat(200)}`.repeat(12)
const script = '<script>1</script>'
const link = (path: string): string => `<link rel="stylesheet" href="${path}">`
/** Script that puts the text into elements of which a parser would close some before the text. The first of `inner` is hidden. */
const nest = (outer: string, inner: readonly string[], css: string): string =>
  `let to = at; for (const [i, name] of ${JSON.stringify(['', outer, ...inner])}.entries()) if (i > 0) {
    const e = document.createElement(name); if (i === 2) e.className = '${css.slice(0, css.indexOf(':'))}'; to.append(e); to = e }
  to.innerHTML = 'zebra quartz text'`
const style = (css: string): string => `<style>${css}</style>`

/** Style sheets at their own URLs, by path. */
export const sheets: Readonly<Record<string, string>> = {
  '/hidden.css':
    '.x{display:none} .clip{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)} .white{color:#fff}' +
    '.off{position:absolute;left:-9999px} .never{opacity:0}',
  '/escape.css': '.display{display:none} .visibility{visibility:hidden}',
  // As in the style sheets of the libraries.
  '/aos.css':
    '[data-aos][data-aos][data-aos-duration="400"]{transition-duration:.4s}' +
    '[data-aos^=fade][data-aos^=fade]{opacity:0;transition-property:opacity,transform}' +
    '[data-aos^=fade][data-aos^=fade].aos-animate{opacity:1;transform:translateZ(0)}' +
    '[data-aos=fade-up]{transform:translate3d(0,100px,0)}',
  '/animate.css': '.wow{visibility:hidden}.animated{animation-duration:1s}.fadeInUp{animation-name:fadeInUp}',
  '/elementor.css': '.elementor-invisible{visibility:hidden}',
  '/fade.css': '.fade{opacity:0;transition:opacity .6s ease-out}.fade.in{opacity:1}',
  '/menu.css': '.sub{display:none}.item:hover .sub{display:block}.panel{display:none}.open .panel{display:block}',
  '/fold.css': '.answer{max-height:0;overflow:hidden;transition:max-height .2s}.q.is-open + .answer{max-height:500px}',
  '/bootstrap.css':
    '.carousel-inner{position:relative;width:100%;overflow:hidden}.carousel-item{position:relative;display:none;float:left;' +
    'width:100%;margin-right:-100%}.carousel-item.active{display:block}.collapse:not(.show){display:none}',
}

const hidden: readonly Omit<BrowserCase, 'isSeen'>[] = [
  { name: 'display none by a sheet at its own URL', head: link('/hidden.css'), body: `<div class="x">${text}</div>` },
  { name: 'clipped by a sheet at its own URL', head: link('/hidden.css'), body: `<div class="clip">${text}</div>` },
  { name: 'moved away by a sheet at its own URL', head: link('/hidden.css'), body: `<div class="off">${text}</div>` },
  {
    name: 'white on white by a sheet at its own URL',
    head: link('/hidden.css'),
    body: `<div class="white">${text}</div>`,
  },
  {
    name: 'white on white below a picture',
    body: `<section><img src="/x.png" alt="A lighthouse" style="display:block;width:300px;height:200px"><div style="color:#fff">${text}</div></section>`,
  },
  {
    name: 'white on white beside a picture of one pixel',
    body: `<section><img src="/x.png" alt="" style="width:1px;height:1px"><div style="color:#fff">${text}</div></section>`,
  },
  { name: 'opacity 0 by a sheet at its own URL', head: link('/hidden.css'), body: `<div class="never">${text}</div>` },
  {
    name: 'a rule that a script inserts',
    head: '<style id="s"></style><script>s.sheet.insertRule(".x{display:none}")</script>',
    body: `<div class="x">${text}</div>`,
  },
  { name: 'hidden by a script', body: `<div id="x">${text}</div><script>x.style.display = 'none'</script>` },
  {
    name: 'hidden in a shadow root',
    body: `<div id="x"></div><script>x.attachShadow({mode:'open'}).innerHTML = '<style>p{display:none}</style>${text}'</script>`,
  },
  {
    name: 'a slot that a shadow root hides',
    body: `<div id="x">${text}</div><script>x.attachShadow({mode:'open'}).innerHTML = '<div style="display:none"><slot></slot></div>'</script>`,
  },
  {
    name: 'hidden among paragraphs that a parser would repair',
    body: `<p id="x"></p><script>const d = document.createElement('div'); d.style.display = 'none'; d.innerHTML = '${text}'; x.append(d, document.createElement('div'))</script>`,
  },
  {
    name: 'an inline style on a page that is too large to examine',
    body: `<div style="display:none">${text}</div>${'<i></i>'.repeat(21_000)}`,
  },
  ...['nextElementSibling', 'firstElementChild', 'childNodes'].map((property) => ({
    name: `in a form with a field of the name ${property}`,
    head: link('/hidden.css'),
    body: `<form><p class="x">zebra quartz in the form</p><input name="${property}"></form><div class="x">${text}</div>`,
  })),
  {
    name: 'beside an iframe with an element in it',
    head: link('/hidden.css'),
    body: `<iframe id="f"></iframe><div class="x">${text}</div><script>f.innerHTML = ''; f.append(Object.assign(document.createElement('p'), { className: 'x', textContent: 'in the frame' }))</script>`,
  },
  ...[
    ['p', 'p', 'div'],
    ['p', 'span', 'div'],
    ['p', 'p', 'span', 'div'],
    ['table', 'table', 'div'],
    ['tr', 'tbody', 'tr', 'div'],
    ['a', 'a', 'i', 'a'],
    ['button', 'button', 'button'],
    ['li', 'li', 'li'],
  ].flatMap(([outer = '', ...inner]) =>
    ['display:none', 'visibility:hidden'].map((css) => ({
      name: `${css} on ${inner.join(' with ')} in ${outer}`,
      head: link('/escape.css'),
      body: `<div id="at"></div><script>${nest(outer, inner, css)}</script>`,
    })),
  ),
  { name: 'hidden after a line break that is a carriage return', body: `\r\n<div style="display:none">${text}</div>` },
]

const seen: readonly Omit<BrowserCase, 'isSeen'>[] = [
  {
    name: 'AOS, below the window',
    head: link('/aos.css'),
    body: `${below}<div data-aos="fade-up" data-aos-duration="400" class="aos-init">${text}</div>${script}`,
  },
  {
    name: 'WOW, below the window',
    head: link('/animate.css'),
    body: `${below}<section class="wow fadeInUp" style="visibility: hidden; animation-name: none;">${text}</section>${script}`,
  },
  {
    name: 'Framer Motion with a move',
    body: `<div style="opacity:0;transform:translateY(40px) translateZ(0)">${text}</div>${script}`,
  },
  {
    name: 'Framer Motion without a move, below the window',
    body: `${below}<div style="opacity: 0;">${text}</div>${script}`,
  },
  {
    name: 'GSAP from',
    body: `<div style="translate: none; rotate: none; scale: none; transform: translate(0px, 50px); opacity: 0;">${text}</div>${script}`,
  },
  {
    name: 'GSAP autoAlpha, below the window',
    body: `${below}<div style="opacity: 0; visibility: hidden;">${text}</div>${script}`,
  },
  {
    name: 'ScrollReveal',
    body: `<div data-sr-id="0" style="visibility: hidden; opacity: 0; transform: matrix3d(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 30, 0, 1); transition: opacity 0.6s;">${text}</div>${script}`,
  },
  {
    name: 'Elementor, below the window',
    head: link('/elementor.css'),
    body: `${below}<div class="elementor-element elementor-invisible">${text}</div>${script}`,
  },
  { name: 'Webflow', body: `<div data-w-id="1b2c" style="opacity:0">${text}</div>${script}` },
  {
    name: 'an observer of its own',
    head: link('/fade.css'),
    body: `${below}<div class="fade">${text}</div><script>new IntersectionObserver((all) => all.forEach((e) => e.isIntersecting && e.target.classList.add('in'))).observe(document.querySelector('.fade'))</script>`,
  },
  { name: 'far below the window', body: `${below.repeat(5)}<div>${text}</div>` },
  {
    name: 'a row of a virtual list',
    body: `<div style="position:relative;height:20000px"><div style="position:absolute;top:15000px">${text}</div></div>`,
  },
  {
    name: 'skipped while it is outside the window',
    body: `${below}<div style="content-visibility:auto;contain-intrinsic-size:500px">${text}</div>`,
  },
  {
    name: 'a menu that a sheet at its own URL opens',
    head: link('/menu.css'),
    body: `<div class="item"><a href="/a">A</a><div class="sub">${text}</div></div>`,
  },
  {
    name: 'an answer that a sheet at its own URL opens',
    head: link('/fold.css'),
    body: `<button class="q" aria-expanded="false">Question</button><div class="answer">${text}</div>`,
  },
  {
    name: 'a slide of Bootstrap',
    head: link('/bootstrap.css'),
    body: `<div class="carousel"><div class="carousel-inner"><div class="carousel-item active">One</div><div class="carousel-item">${text}</div></div><button class="carousel-control-next" data-bs-slide="next">Next</button></div>`,
  },
  {
    name: 'a panel of Bootstrap with its sheet',
    head: link('/bootstrap.css'),
    body: `<button data-bs-toggle="collapse" data-bs-target="#c">More</button><div class="collapse" id="c">${text}</div>`,
  },
  {
    name: 'a slide that a track moves out of its window',
    body: `<div style="overflow:hidden;width:600px"><div style="width:1800px;transform:translate3d(-600px,0,0)"><div style="width:600px;float:left">${text}</div><div style="width:600px;float:left">Two</div></div></div><button class="slick-prev">Previous</button>`,
  },
  {
    name: 'a gradient in the shape of the text',
    head: style(
      '.x p{background:linear-gradient(red,blue);-webkit-background-clip:text;background-clip:text;color:transparent}',
    ),
    body: `<div class="x">${text}</div>`,
  },
  {
    name: 'white on a box behind it',
    body: `<section style="position:relative"><div style="position:absolute;inset:0;background:#123"></div><div style="position:relative;color:#fff">${text}</div></section>`,
  },
  {
    name: 'white on a layer of the box',
    head: style(
      '.x{position:relative;color:#fff}.x::before{content:"";position:absolute;inset:0;background:#123;z-index:-1}',
    ),
    body: `<div class="x">${text}</div>`,
  },
  {
    name: 'white on a picture without a size that is not in the flow',
    body: `<section style="position:relative"><img src="/x.png" alt="" style="position:absolute"><div style="position:relative;color:#fff">${text}</div></section>`,
  },
  {
    name: 'white on a picture that fills the box',
    body: `<section style="position:relative"><img src="/x.png" alt="" style="position:absolute;inset:0;width:100%;height:100%"><div style="position:relative;color:#fff">${text}</div></section>`,
  },
  { name: 'the colours of a dark page', head: style(':root{color-scheme:dark}'), body: `<div>${text}</div>` },
  { name: 'shown on a page with a dark background', head: style('body{background:#000;color:#fff}'), body: text },
  {
    name: 'shown by an animation that has not started',
    head: style('@keyframes in{to{opacity:1}}.x{opacity:0;animation:in 1s 60s forwards}'),
    body: `<div class="x">${text}</div>`,
  },
  {
    name: 'in the shadow root of an element',
    body: `<div id="x"></div><script>x.attachShadow({mode:'open'}).innerHTML = '<section>${text}</section>'</script>`,
  },
  { name: 'in a frame', body: '<iframe src="/frame" width="400" height="300"></iframe>' },
  {
    name: 'on a page written from right to left',
    head: style('html{direction:rtl}'),
    body: `<div style="width:3000px"><div style="margin-right:2000px">${text}</div></div>`,
  },
  {
    name: 'in a box of no height that it leaves',
    body: `<div style="height:0;overflow:hidden"><div style="position:absolute;top:400px">${text}</div></div>`,
  },
  {
    name: 'below elements without a box',
    body: `<div style="display:contents"><div style="display:contents">${text}</div></div>`,
  },
  { name: 'until a search of the browser finds it', body: `<div hidden="until-found">${text}</div>` },
  {
    name: 'a page that takes too much work to examine',
    head: link('/hidden.css'),
    body: `<div class="x">${text}</div>${nested}`,
  },
  {
    name: 'in a form whose fields have the names of properties',
    body: `<form><input name="children"><input name="attributes"><input name="setAttribute"><input name="parentNode"><input name="shadowRoot">${text}</form>`,
  },
]

export const browserCases: readonly BrowserCase[] = [
  ...hidden.map((each) => ({ ...each, isSeen: false })),
  ...seen.map((each) => ({ ...each, isSeen: true })),
]

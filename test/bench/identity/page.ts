/** A page that reports everything it can see of its browser to `/report`, as JSON. */
export const signalPage = `<!doctype html><title>Signals</title><body><script type="module">
const orNone = async (read) => { try { return (await read()) ?? null } catch (error) { return 'fails: ' + error.name } }
const media = (query) => matchMedia(query).matches
const permissions = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi', 'persistent-storage']
const hints = ['architecture', 'bitness', 'formFactors', 'fullVersionList', 'model', 'platformVersion', 'uaFullVersion', 'wow64']
const glOf = () => {
  const gl = document.createElement('canvas').getContext('webgl')
  const info = gl?.getExtension('WEBGL_debug_renderer_info')
  return info && [gl.getParameter(info.UNMASKED_VENDOR_WEBGL), gl.getParameter(info.UNMASKED_RENDERER_WEBGL)]
}
const fromWorker = () => new Promise((resolve, reject) => {
  const code = 'postMessage({ userAgent: navigator.userAgent, languages: navigator.languages, platform: navigator.platform,' +
    ' cores: navigator.hardwareConcurrency, zone: Intl.DateTimeFormat().resolvedOptions().timeZone,' +
    ' brands: navigator.userAgentData?.brands })'
  const worker = new Worker(URL.createObjectURL(new Blob([code])))
  worker.onmessage = ({ data }) => resolve(data)
  worker.onerror = reject
})
const fromFrame = async () => {
  const frame = document.createElement('iframe')
  frame.srcdoc = '<p>frame'
  const loaded = new Promise((resolve) => (frame.onload = resolve))
  document.body.append(frame)
  await loaded
  const { navigator, screen, chrome, Intl } = frame.contentWindow
  return { userAgent: navigator.userAgent, languages: [...navigator.languages], webdriver: navigator.webdriver,
    screen: [screen.width, screen.height], chrome: typeof chrome, zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
}
const barOf = () => {
  const box = Object.assign(document.createElement('div'), { style: 'overflow: scroll; width: 99px; height: 99px' })
  document.body.append(box)
  const width = box.offsetWidth - box.clientWidth
  box.remove()
  return width
}
const isWatched = () => {
  let read = false
  const bait = new Error('bait')
  Object.defineProperty(bait, 'stack', { get: () => ((read = true), '') })
  console.debug(bait)
  return read
}
const data = navigator.userAgentData
const video = document.createElement('video')
const signals = {
  userAgent: navigator.userAgent,
  appVersion: navigator.appVersion,
  platform: navigator.platform,
  vendor: navigator.vendor,
  brands: data && data.brands.map(({ brand, version }) => brand + ' ' + version),
  uaPlatform: data && [data.platform, data.mobile],
  highEntropy: await orNone(() => data?.getHighEntropyValues(hints)),
  languages: navigator.languages,
  locale: Intl.DateTimeFormat().resolvedOptions().locale,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  screen: [screen.width, screen.height],
  availableScreen: [screen.availWidth, screen.availHeight, screen.availLeft, screen.availTop],
  colorDepth: [screen.colorDepth, screen.pixelDepth],
  orientation: screen.orientation.type,
  outerSize: [outerWidth, outerHeight],
  innerSize: [innerWidth, innerHeight],
  windowPosition: [screenX, screenY],
  fitsScreen: outerWidth <= screen.availWidth && outerHeight <= screen.availHeight && innerWidth <= outerWidth && innerHeight <= outerHeight,
  pixelRatio: devicePixelRatio,
  scrollBar: barOf(),
  plugins: [...navigator.plugins].map(({ name }) => name),
  mimeTypes: [...navigator.mimeTypes].map(({ type }) => type),
  pdfViewer: navigator.pdfViewerEnabled,
  permissions: Object.fromEntries(await Promise.all(permissions.map(async (name) =>
    [name, await orNone(async () => (await navigator.permissions.query({ name })).state)]))),
  notification: typeof Notification === 'undefined' ? null : Notification.permission,
  chrome: typeof chrome === 'undefined' ? null : Object.keys(chrome).sort(),
  webdriver: navigator.webdriver,
  automation: Object.keys(globalThis).filter((name) => /puppeteer|playwright|cdc_|webdriver|harvestman/i.test(name)),
  consoleRead: isWatched(),
  cores: navigator.hardwareConcurrency,
  memory: navigator.deviceMemory ?? null,
  touch: [navigator.maxTouchPoints, 'ontouchstart' in window, media('(any-pointer: coarse)')],
  pointer: [media('(hover: hover)'), media('(pointer: fine)')],
  colorScheme: media('(prefers-color-scheme: dark)') ? 'dark' : 'light',
  reducedMotion: media('(prefers-reduced-motion: reduce)'),
  focus: [document.hasFocus(), document.visibilityState],
  webgl: await orNone(glOf),
  codecs: ['video/mp4; codecs="avc1.42E01E"', 'video/webm; codecs="vp9"', 'audio/mpeg'].map((type) => video.canPlayType(type)),
  connection: await orNone(() => [navigator.connection.effectiveType, typeof navigator.connection.rtt]),
  apis: ['share' in navigator, 'bluetooth' in navigator, 'usb' in navigator, 'serial' in navigator, 'PushManager' in window,
    'SharedWorker' in window, 'RTCPeerConnection' in window, 'speechSynthesis' in window, 'credentials' in navigator],
  worker: await orNone(fromWorker),
  frame: await orNone(fromFrame),
}
await fetch('/report' + location.search, { method: 'POST', body: JSON.stringify(signals) })
document.body.append('reported')
</script>`

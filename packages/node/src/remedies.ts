const browser =
  'Install one (apt-get install chromium-headless-shell, or chromium; on Linux for x64 also npm install @sparticuz/chromium), or set HARVESTMAN_BROWSER.'

/** Remedies for the operator of a server and the user of a command, by port name or error code. */
export const remedies = {
  browser,
  sessions: browser,
  live: browser,
  llm: 'Set OPENAI_API_KEY, or OPENAI_BASE_URL and MODEL_NAME, or OLLAMA_BASE_URL.',
  proxies: 'Set HARVESTMAN_PROXY_ENHANCED to scheme://user:password@host:port.',
  search:
    'Set SEARXNG_ENDPOINT to the URL of a SearXNG instance, or HARVESTMAN_SEARCH_INDEX=on to search scraped pages.',
  ocr: 'Set HARVESTMAN_OCR=eng, and run `npm install tesseract.js-core @tesseract.js-data/eng @hyzyla/pdfium`.',
  sandbox: 'Set HARVESTMAN_SANDBOX=auto.',
  url_blocked: 'If the host is yours, allow its addresses with HARVESTMAN_ALLOW_PRIVATE.',
} as const

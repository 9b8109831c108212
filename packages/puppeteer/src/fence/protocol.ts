// The commands of the DevTools protocol that clients of a live browser may send, with their parameters. All others are
// rejected.
import type { Shape } from './shapes.ts'
import {
  fontFamilies,
  scriptFontFamilies,
  fontSizes,
  serializationOptions,
  callArgument,
  rect,
  touchPoint,
  userAgentMetadata,
  mediaFeature,
  color,
  cookiePartitionKey,
  cookieParam,
  blockPattern,
  viewport,
  dragData,
  screenOrientation,
  displayFeature,
  devicePosture,
  filterEntry,
  requestPattern,
  headerEntry,
  authChallengeResponse,
} from './protocol-types.ts'

type Commands = Readonly<Record<string, Shape>>

const nothing: Shape = {}

function domain(name: string, plain: string, shapes: Commands): Commands {
  const all = {
    ...Object.fromEntries(
      plain
        .split(' ')
        .filter(Boolean)
        .map((one) => [one, nothing]),
    ),
    ...shapes,
  }
  return Object.fromEntries(Object.entries(all).map(([command, shape]) => [`${name}.${command}`, shape]))
}

const response = {
  text: 'requestId responsePhrase binaryResponseHeaders',
  integer: 'responseCode',
  parts: { responseHeaders: [headerEntry] },
} as const satisfies Shape

// Domains whose events describe the page.
const observed: Commands = Object.fromEntries(
  'Log Audits Inspector Security ServiceWorker WebMCP'
    .split(' ')
    .flatMap((name) => [`${name}.enable`, `${name}.disable`].map((method) => [method, nothing])),
)

const ofStreams: Commands = { read: { text: 'handle', integer: 'offset size' }, close: { text: 'handle' } }

/** Commands for a page, frame or worker. */
export const sessionShapes: Commands = {
  ...domain(
    'Page',
    'disable getFrameTree getLayoutMetrics bringToFront stopLoading getNavigationHistory resetNavigationHistory stopScreencast getResourceTree close',
    {
      enable: { flag: 'enableFileChooserOpenedEvent' },
      reload: { flag: 'ignoreCache', text: 'scriptToEvaluateOnLoad loaderId' },
      createIsolatedWorld: { text: 'frameId worldName contentSecurityPolicy', flag: 'grantUniveralAccess' },
      addScriptToEvaluateOnNewDocument: { text: 'source worldName', flag: 'includeCommandLineAPI runImmediately' },
      removeScriptToEvaluateOnNewDocument: { text: 'identifier' },
      setLifecycleEventsEnabled: { flag: 'enabled' },
      setFontFamilies: { parts: { fontFamilies, forScripts: [scriptFontFamilies] } },
      setFontSizes: { parts: { fontSizes } },
      navigateToHistoryEntry: { integer: 'entryId' },
      handleJavaScriptDialog: { flag: 'accept', text: 'promptText' },
      printToPDF: {
        flag: 'landscape displayHeaderFooter printBackground preferCSSPageSize generateTaggedPDF generateDocumentOutline',
        number: 'scale paperWidth paperHeight marginTop marginBottom marginLeft marginRight',
        text: 'pageRanges headerTemplate footerTemplate transferMode',
      },
      startScreencast: {
        text: 'format',
        integer: 'quality maxWidth maxHeight everyNthFrame maxFramesInFlight',
        flag: 'sendLastFrame',
      },
      screencastFrameAck: { integer: 'sessionId' },
      setDocumentContent: { text: 'frameId html' },
      setInterceptFileChooserDialog: { flag: 'enabled cancel' },
      setBypassCSP: { flag: 'enabled' },
      setWebLifecycleState: { text: 'state' },
      captureScreenshot: {
        text: 'format',
        integer: 'quality',
        flag: 'fromSurface captureBeyondViewport optimizeForSpeed',
        parts: { clip: viewport },
      },
      navigate: { text: 'url referrer transitionType frameId referrerPolicy' },
    },
  ),
  ...domain('Runtime', 'enable disable runIfWaitingForDebugger getIsolateId discardConsoleEntries', {
    evaluate: {
      text: 'expression objectGroup uniqueContextId',
      flag: 'includeCommandLineAPI silent returnByValue generatePreview userGesture awaitPromise throwOnSideEffect disableBreaks replMode allowUnsafeEvalBlockedByCSP',
      integer: 'contextId',
      number: 'timeout',
      parts: { serializationOptions },
    },
    callFunctionOn: {
      text: 'functionDeclaration objectId objectGroup uniqueContextId',
      flag: 'silent returnByValue generatePreview userGesture awaitPromise throwOnSideEffect',
      integer: 'executionContextId',
      parts: { arguments: [callArgument], serializationOptions },
    },
    releaseObject: { text: 'objectId' },
    releaseObjectGroup: { text: 'objectGroup' },
    getProperties: {
      text: 'objectId',
      flag: 'ownProperties accessorPropertiesOnly generatePreview nonIndexedPropertiesOnly',
    },
    addBinding: { text: 'name executionContextName', integer: 'executionContextId' },
    removeBinding: { text: 'name' },
    awaitPromise: { text: 'promiseObjectId', flag: 'returnByValue generatePreview' },
    compileScript: { text: 'expression sourceURL', flag: 'persistScript', integer: 'executionContextId' },
    runScript: {
      text: 'scriptId objectGroup',
      integer: 'executionContextId',
      flag: 'silent includeCommandLineAPI returnByValue generatePreview awaitPromise',
    },
    globalLexicalScopeNames: { integer: 'executionContextId' },
    getExceptionDetails: { text: 'errorObjectId' },
    queryObjects: { text: 'prototypeObjectId objectGroup' },
  }),
  ...domain('DOM', 'disable', {
    enable: { text: 'includeWhitespace' },
    getDocument: { integer: 'depth', flag: 'pierce' },
    describeNode: { integer: 'nodeId backendNodeId depth', text: 'objectId', flag: 'pierce' },
    resolveNode: { integer: 'nodeId backendNodeId executionContextId', text: 'objectGroup' },
    requestNode: { text: 'objectId' },
    requestChildNodes: { integer: 'nodeId depth', flag: 'pierce' },
    querySelector: { integer: 'nodeId', text: 'selector' },
    querySelectorAll: { integer: 'nodeId', text: 'selector' },
    getBoxModel: { integer: 'nodeId backendNodeId', text: 'objectId' },
    getContentQuads: { integer: 'nodeId backendNodeId', text: 'objectId' },
    getNodeForLocation: { integer: 'x y', flag: 'includeUserAgentShadowDOM ignorePointerEventsNone' },
    getFrameOwner: { text: 'frameId' },
    getOuterHTML: { integer: 'nodeId backendNodeId', text: 'objectId', flag: 'includeShadowDOM' },
    setOuterHTML: { integer: 'nodeId', text: 'outerHTML' },
    getAttributes: { integer: 'nodeId' },
    setAttributeValue: { integer: 'nodeId', text: 'name value' },
    setAttributesAsText: { integer: 'nodeId', text: 'text name' },
    removeAttribute: { integer: 'nodeId', text: 'name' },
    setNodeValue: { integer: 'nodeId', text: 'value' },
    setNodeName: { integer: 'nodeId', text: 'name' },
    removeNode: { integer: 'nodeId' },
    moveTo: { integer: 'nodeId targetNodeId insertBeforeNodeId' },
    focus: { integer: 'nodeId backendNodeId', text: 'objectId' },
    setFileInputFiles: { texts: 'files', integer: 'nodeId backendNodeId', text: 'objectId' },
    scrollIntoViewIfNeeded: { integer: 'nodeId backendNodeId', text: 'objectId', parts: { rect } },
    performSearch: { text: 'query', flag: 'includeUserAgentShadowDOM' },
    getSearchResults: { text: 'searchId', integer: 'fromIndex toIndex' },
    discardSearchResults: { text: 'searchId' },
    pushNodesByBackendIdsToFrontend: { integers: 'backendNodeIds' },
    pushNodeByPathToFrontend: { text: 'path' },
    getFlattenedDocument: { integer: 'depth', flag: 'pierce' },
    getRelayoutBoundary: { integer: 'nodeId' },
    getNodeStackTraces: { integer: 'nodeId' },
  }),
  ...domain('CSS', 'enable disable startRuleUsageTracking stopRuleUsageTracking', {
    getComputedStyleForNode: { integer: 'nodeId' },
  }),
  ...domain('DOMSnapshot', 'enable disable', {
    captureSnapshot: {
      texts: 'computedStyles',
      flag: 'includePaintOrder includeDOMRects includeBlendedBackgroundColors includeTextColorOpacities',
    },
  }),
  ...domain('Input', 'cancelDragging', {
    dispatchKeyEvent: {
      text: 'type text unmodifiedText keyIdentifier code key',
      integer: 'modifiers windowsVirtualKeyCode nativeVirtualKeyCode location',
      number: 'timestamp',
      flag: 'autoRepeat isKeypad isSystemKey',
      texts: 'commands',
    },
    dispatchMouseEvent: {
      text: 'type button pointerType',
      number: 'x y timestamp force tangentialPressure tiltX tiltY deltaX deltaY',
      integer: 'modifiers buttons clickCount twist',
    },
    dispatchTouchEvent: {
      text: 'type',
      integer: 'modifiers',
      number: 'timestamp',
      parts: { touchPoints: [touchPoint] },
    },
    insertText: { text: 'text' },
    imeSetComposition: { text: 'text', integer: 'selectionStart selectionEnd replacementStart replacementEnd' },
    synthesizeScrollGesture: {
      number: 'x y xDistance yDistance xOverscroll yOverscroll',
      flag: 'preventFling',
      integer: 'speed repeatCount repeatDelayMs',
      text: 'gestureSourceType interactionMarkerName',
    },
    synthesizeTapGesture: { number: 'x y', integer: 'duration tapCount', text: 'gestureSourceType' },
    synthesizePinchGesture: { number: 'x y scaleFactor', integer: 'relativeSpeed', text: 'gestureSourceType' },
    setIgnoreInputEvents: { flag: 'ignore' },
    setInterceptDrags: { flag: 'enabled' },
    emulateTouchFromMouseEvent: {
      text: 'type button',
      integer: 'x y modifiers clickCount',
      number: 'timestamp deltaX deltaY',
    },
    dispatchDragEvent: { text: 'type', number: 'x y', integer: 'modifiers', parts: { data: dragData } },
  }),
  ...domain(
    'Emulation',
    'clearDeviceMetricsOverride clearGeolocationOverride clearIdleOverride resetPageScaleFactor canEmulate',
    {
      setTouchEmulationEnabled: { flag: 'enabled', integer: 'maxTouchPoints' },
      setEmitTouchEventsForMouse: { flag: 'enabled', text: 'configuration' },
      setUserAgentOverride: { text: 'userAgent acceptLanguage platform', parts: { userAgentMetadata } },
      setLocaleOverride: { text: 'locale' },
      setTimezoneOverride: { text: 'timezoneId' },
      setGeolocationOverride: { number: 'latitude longitude accuracy altitude altitudeAccuracy heading speed' },
      setEmulatedMedia: { text: 'media', parts: { features: [mediaFeature] } },
      setEmulatedVisionDeficiency: { text: 'type' },
      setFocusEmulationEnabled: { flag: 'enabled' },
      setScriptExecutionDisabled: { flag: 'value' },
      setDefaultBackgroundColorOverride: { parts: { color } },
      setIdleOverride: { flag: 'isUserActive isScreenUnlocked' },
      setCPUThrottlingRate: { number: 'rate' },
      setPageScaleFactor: { number: 'pageScaleFactor' },
      setScrollbarsHidden: { flag: 'hidden' },
      setDocumentCookieDisabled: { flag: 'disabled' },
      setAutoDarkModeOverride: { flag: 'enabled' },
      setDeviceMetricsOverride: {
        integer: 'width height screenWidth screenHeight positionX positionY',
        number: 'deviceScaleFactor scale',
        flag: 'mobile dontSetVisibleSize screenOrientationLockEmulation',
        text: 'scrollbarType viewportMeta textLayoutMode',
        parts: { screenOrientation, viewport, displayFeature, devicePosture },
      },
    },
  ),
  ...domain('Accessibility', 'enable disable', {
    getFullAXTree: { integer: 'depth', text: 'frameId' },
    getPartialAXTree: { integer: 'nodeId backendNodeId', text: 'objectId', flag: 'fetchRelatives' },
    getRootAXNode: { text: 'frameId' },
    getAXNodeAndAncestors: { integer: 'nodeId backendNodeId', text: 'objectId' },
    getChildAXNodes: { text: 'id frameId' },
    queryAXTree: { integer: 'nodeId backendNodeId', text: 'objectId accessibleName role' },
  }),
  ...domain('Network', 'disable clearBrowserCache clearBrowserCookies getAllCookies', {
    setBypassServiceWorker: { flag: 'bypass' },
    enable: {
      integer: 'maxTotalBufferSize maxResourceBufferSize maxPostDataSize',
      flag: 'reportDirectSocketTraffic enableDurableMessages',
    },
    setExtraHTTPHeaders: { record: 'headers' },
    setCacheDisabled: { flag: 'cacheDisabled' },
    setUserAgentOverride: { text: 'userAgent acceptLanguage platform', parts: { userAgentMetadata } },
    getCookies: { texts: 'urls' },
    setCookie: {
      text: 'name value url domain path sameSite priority sourceScheme',
      flag: 'secure httpOnly',
      number: 'expires',
      integer: 'sourcePort',
      parts: { partitionKey: cookiePartitionKey },
    },
    setCookies: { parts: { cookies: [cookieParam] } },
    deleteCookies: { text: 'name url domain path', parts: { partitionKey: cookiePartitionKey } },
    getResponseBody: { text: 'requestId' },
    getRequestPostData: { text: 'requestId' },
    emulateNetworkConditions: {
      flag: 'offline packetReordering',
      number: 'latency downloadThroughput uploadThroughput packetLoss',
      text: 'connectionType',
      integer: 'packetQueueLength',
    },
    setBlockedURLs: { texts: 'urls', parts: { urlPatterns: [blockPattern] } },
    getSecurityIsolationStatus: { text: 'frameId' },
  }),
  ...domain('Fetch', 'disable', {
    enable: { flag: 'handleAuthRequests', parts: { patterns: [requestPattern] } },
    failRequest: { text: 'requestId errorReason' },
    fulfillRequest: { ...response, text: `${response.text} body` },
    continueRequest: {
      text: 'requestId url method postData',
      flag: 'interceptResponse',
      parts: { headers: [headerEntry] },
    },
    continueResponse: response,
    continueWithAuth: { text: 'requestId', parts: { authChallengeResponse } },
    getResponseBody: { text: 'requestId' },
    takeResponseBodyAsStream: { text: 'requestId' },
  }),
  ...domain('IO', '', ofStreams),
  ...observed,
  ...domain('Performance', 'disable getMetrics', {
    enable: { text: 'timeDomain' },
  }),
  ...domain('Target', '', {
    detachFromTarget: { text: 'sessionId targetId' },
    getTargetInfo: { text: 'targetId' },
    setAutoAttach: { flag: 'autoAttach waitForDebuggerOnStart flatten', parts: { filter: [filterEntry] } },
  }),
}

/** Commands for the browser itself. */
export const rootShapes: Commands = {
  ...domain('Target', 'getBrowserContexts attachToBrowserTarget', {
    setDiscoverTargets: { flag: 'discover', parts: { filter: [filterEntry] } },
    setAutoAttach: { flag: 'autoAttach waitForDebuggerOnStart flatten', parts: { filter: [filterEntry] } },
    getTargets: { parts: { filter: [filterEntry] } },
    getTargetInfo: { text: 'targetId' },
    attachToTarget: { text: 'targetId', flag: 'flatten' },
    detachFromTarget: { text: 'sessionId targetId' },
    createTarget: {
      text: 'url windowState browserContextId',
      integer: 'left top width height',
      flag: 'enableBeginFrameControl newWindow background forTab hidden focus',
    },
    createBrowserContext: {
      flag: 'disposeOnDetach',
      text: 'proxyServer proxyBypassList',
      texts: 'originsWithUniversalNetworkAccess',
    },
    disposeBrowserContext: { text: 'browserContextId' },
    closeTarget: { text: 'targetId' },
    activateTarget: { text: 'targetId' },
  }),
  ...domain('Storage', '', {
    getCookies: { text: 'browserContextId' },
    setCookies: { text: 'browserContextId', parts: { cookies: [cookieParam] } },
    clearCookies: { text: 'browserContextId' },
  }),
  ...domain('Browser', 'getVersion', {
    setDownloadBehavior: { text: 'behavior browserContextId downloadPath', flag: 'eventsEnabled' },
    cancelDownload: { text: 'guid browserContextId' },
  }),
  ...domain('IO', '', ofStreams),
}

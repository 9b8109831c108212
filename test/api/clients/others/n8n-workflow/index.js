exports.sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

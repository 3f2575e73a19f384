// The progress of a job that first needs the table of uniform tours.

/**
 * @param {string | undefined} doing
 * @returns {[string, string] | null} a title and a sentence; null if the job does not wait for a table
 */
export function tableProgress(doing) {
  if (doing === "table") {
    return ["Counting covers…", "Uniform tours are drawn from a table that is built once; for open tours of 8x8 this takes a minute or two."];
  }
  return doing === "turn" ? ["Waiting for another table…", "Tables are built one at a time."] : null;
}

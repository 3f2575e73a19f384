// What a job does before it runs, where it needs the table of uniform tours.

/**
 * @param {string | undefined} doing
 * @returns {[string, string] | null} a title and a sentence; null if the job is not about a table
 */
export function tableProgress(doing) {
  if (doing === "table") {
    return ["Counting covers…", "The table that uniform tours are drawn from is made once; open tours of 8x8 take a minute or two."];
  }
  return doing === "turn" ? ["Waiting for another table…", "Tables are made one at a time."] : null;
}

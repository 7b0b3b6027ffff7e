-- Customers without orders.
CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  name VARCHAR(80) NOT NULL,
  city VARCHAR(40) DEFAULT 'unknown',
  since DATE
);
CREATE TABLE orders (
  number INTEGER PRIMARY KEY,
  customer INTEGER NOT NULL,
  amount DECIMAL(10, 2) DEFAULT 0,
  placed DATE
);
CREATE INDEX by_customer ON orders (customer);
INSERT INTO customers (id, name, city) VALUES (1, 'Ada', 'London'), (2, 'Grace', 'New York'), (3, 'Linus', 'Helsinki');
INSERT INTO orders (number, customer, amount) VALUES (10, 1, 99.50), (11, 1, 12.00), (12, 3, 7.25);
SELECT c.city, COUNT(c.id) AS lonely, MAX(c.since)
FROM customers AS c
LEFT OUTER JOIN orders AS o ON o.customer = c.id AND o.amount > 10
WHERE o.number IS NULL AND c.name <> 'nobody'
GROUP BY c.city
HAVING COUNT(c.id) > 0
ORDER BY lonely DESC
LIMIT 5;
UPDATE customers SET city = 'Paris' WHERE id = 2;
DELETE FROM orders WHERE amount < 1;
